/**
 * What the same requests cost without an engine: a bare undici loop, one request at a time per host,
 * all hosts at once; bodies are read and thrown away. In a process of its own, for its CPU time.
 *
 * Takes the path of a JSON file, see {@link BaselineRequests}; prints a {@link BaselineFigures} line.
 */
import { readFileSync } from 'node:fs';
import { Client } from 'undici';

/** What to ask for: the web's port, and the paths of each host in order. */
export interface BaselineRequests {
  readonly port: number;
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}

/** What it took. */
export interface BaselineFigures {
  readonly durationMs: number;
  readonly cpuSeconds: number;
}

const { port, hosts } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BaselineRequests;

async function fetchHost(host: string, paths: readonly string[]): Promise<void> {
  const client = new Client(`http://127.0.0.1:${port}`);
  for (const path of paths) {
    const { body } = await client.request({ path, method: 'GET', headers: { host } });
    await body.arrayBuffer();
  }
  await client.close();
}

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await Promise.all(Object.entries(hosts).map(([host, paths]) => fetchHost(host, paths)));
const { user, system } = process.cpuUsage(cpuBefore);
const figures: BaselineFigures = {
  durationMs: performance.now() - startedAt,
  cpuSeconds: (user + system) / 1e6,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
