/** Starts a synthetic web and speaks to it from the test's process. */
import { createControlClient, startServerProcess } from '../server-process.js';
import type { HostFault } from './faults.js';
import type { SyntheticManifest } from './manifest.js';
import { resolveWebOptions } from './options.js';
import type { MsRange, SyntheticWebOptions } from './options.js';
import type { RequestRecord } from './request-log.js';

/** A running synthetic web. */
export interface SyntheticWeb {
  readonly pid: number;
  readonly port: number;
  readonly seedUrl: string;
  /** Value for `--map-hosts`, such as `*.test=127.0.0.1:41234`. */
  readonly mapHosts: string;
  readonly manifest: SyntheticManifest;
  /** All requests so far, in order of arrival, those in flight too. */
  log(): Promise<RequestRecord[]>;
  clearLog(): Promise<void>;
  /** Put a host ('*': all) into trouble, or (null) out of it. */
  setFault(host: string, fault: HostFault | null): Promise<void>;
  /** Change the latency of a host ('*': all); null for that of the options. */
  setLatency(host: string, range: MsRange | null): Promise<void>;
  /** Let flaky and busy URLs start their counts again, for a second crawl. */
  forgetCounts(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Start a synthetic web in a process of its own, on 127.0.0.1. Stop it when done.
 *
 * @throws Error naming the option when one is refused
 */
export async function startSyntheticWeb(options: SyntheticWebOptions = {}): Promise<SyntheticWeb> {
  resolveWebOptions(options); // refuse here, where the stack names the test
  const server = await startServerProcess('test/support/synthetic-web/main.ts', [
    '--options',
    JSON.stringify(options),
  ]);
  const { port, controlPort, seedUrl, mapHosts } = server.announced as {
    port: number;
    controlPort: number;
    seedUrl: string;
    mapHosts: string;
  };
  const control = createControlClient(controlPort);
  return {
    pid: server.pid,
    port,
    seedUrl,
    mapHosts,
    manifest: (await control.call('GET', '/manifest')) as SyntheticManifest,
    log: control.log,
    clearLog: control.clearLog,
    setFault: async (host, fault) => void (await control.call('POST', '/fault', { host, fault })),
    setLatency: async (host, range) =>
      void (await control.call('POST', '/latency', { host, range })),
    forgetCounts: async () => void (await control.call('POST', '/forget')),
    stop: server.stop,
  };
}
