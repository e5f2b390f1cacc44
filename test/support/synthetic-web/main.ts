/**
 * A synthetic web in a process of its own.
 *
 *     npx tsx test/support/synthetic-web/main.ts --hosts 40 --pages 50 --port 0
 *
 * Prints one JSON line when it listens: ports, seed URL and the value for --map-hosts.
 */
import { parseArgs } from 'node:util';
import { Answerer } from './answer.js';
import { createControlServer } from './control-server.js';
import { Faults } from './faults.js';
import type { HostFault } from './faults.js';
import { computeManifest } from './manifest.js';
import { buildModel } from './model.js';
import { resolveWebOptions } from './options.js';
import type { MsRange, SyntheticWebOptions } from './options.js';
import { RequestLog } from './request-log.js';
import { announce, endWithStdin, listen } from '../server-process.js';
import { createWebServer } from './web-server.js';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string' },
    pages: { type: 'string' },
    port: { type: 'string' },
    latency: { type: 'string' },
    plain: { type: 'boolean' },
    options: { type: 'string' },
    'control-port': { type: 'string' },
    'end-with-stdin': { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help) {
  process.stdout.write(
    [
      'usage: main.ts [--hosts N] [--pages N] [--port N] [--control-port N] [--latency MIN-MAX]',
      '               [--plain] [--options JSON]',
      '  --plain     pages and links only, no redirects, failures, robots rules and so on',
      '  --options   any of SyntheticWebOptions (options.ts) as JSON; the flags win over it\n',
    ].join('\n'),
  );
  process.exit(0);
}

function readOptions(): SyntheticWebOptions {
  const [min, max] = (values.latency ?? '').split('-').map(Number);
  return {
    ...(JSON.parse(values.options ?? '{}') as SyntheticWebOptions),
    ...(values.hosts === undefined ? {} : { hosts: Number(values.hosts) }),
    ...(values.pages === undefined ? {} : { pagesPerHost: Number(values.pages) }),
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values['control-port'] === undefined
      ? {}
      : { controlPort: Number(values['control-port']) }),
    ...(values.latency === undefined ? {} : { latencyMs: { min: min ?? NaN, max: max ?? NaN } }),
    ...(values.plain ? { features: 'none' as const } : {}),
  };
}

const options = resolveWebOptions(readOptions());
const model = buildModel(options);
const answerer = new Answerer(model);
const faults = new Faults();
const log = new RequestLog();

const web = createWebServer({ answerer, faults, log, latencyMs: options.latencyMs });
const control = createControlServer(log, {
  'GET /manifest': () => computeManifest(model),
  'POST /fault': (body) => {
    const { host, fault } = body as { host: string; fault: HostFault | null };
    faults.set(host, fault);
  },
  'POST /latency': (body) => {
    const { host, range } = body as { host: string; range: MsRange | null };
    faults.setLatency(host, range);
  },
  'POST /forget': () => {
    answerer.forget();
  },
});

if (values['end-with-stdin']) endWithStdin();
const port = await listen(web, options.port);
const controlPort = await listen(control, options.controlPort);
announce({
  port,
  controlPort,
  seedUrl: model.seedUrl,
  mapHosts: `*.${options.domain}=127.0.0.1:${port}`,
});
