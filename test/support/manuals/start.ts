/** Serves a folder of HTML from a process of its own. */
import { createControlClient, startServerProcess } from '../server-process.js';
import type { RequestRecord } from '../synthetic-web/request-log.js';

/** A running static server. */
export interface StaticServer {
  readonly pid: number;
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** All requests so far. HTML documents have kind 'page'. */
  log(): Promise<RequestRecord[]>;
  clearLog(): Promise<void>;
  stop(): Promise<void>;
}

/** Serve a folder on 127.0.0.1. Stop it when done. */
export async function startStaticServer(root: string): Promise<StaticServer> {
  const server = await startServerProcess('test/support/manuals/main.ts', ['--root', root]);
  const { port, controlPort } = server.announced as { port: number; controlPort: number };
  const control = createControlClient(controlPort);
  return {
    pid: server.pid,
    port,
    origin: `http://127.0.0.1:${port}`,
    log: control.log,
    clearLog: control.clearLog,
    stop: server.stop,
  };
}
