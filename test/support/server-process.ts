/** Test servers that run in processes of their own, so that killing a crawl never touches them. */
import { spawn } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RequestRecord } from './synthetic-web/request-log.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 20_000;

/** The parent's end of a server process. */
export interface ServerProcess {
  readonly pid: number;
  /** What it announced. */
  readonly announced: Readonly<Record<string, unknown>>;
  /** End it; resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Run a TypeScript entry of this repository and wait for its announcement. It ends with its parent,
 * however that ends: it reads stdin and leaves when that closes.
 *
 * @param entry path of the .ts file, from the repository's root
 * @throws Error with what the process wrote to stderr when it ends before it announces
 */
export async function startServerProcess(
  entry: string,
  args: readonly string[],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', entry, '--end-with-stdin', ...args], {
    cwd: REPOSITORY,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-10_000);
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const line = await new Promise<string | Error>((resolve) => {
    const timer = setTimeout(() => {
      resolve(new Error(`${entry}: announced nothing within ${START_TIMEOUT_MS} ms\n${stderr}`));
    }, START_TIMEOUT_MS);
    const settle = (value: string | Error): void => {
      clearTimeout(timer);
      resolve(value);
    };
    createInterface(child.stdout).once('line', settle);
    child.once('error', settle);
    void exited.then(() => settle(new Error(`${entry}: ended before it listened\n${stderr}`)));
  });
  if (line instanceof Error || child.pid === undefined) {
    await stop();
    throw line instanceof Error ? line : new Error(`${entry}: has no pid`);
  }
  return {
    pid: child.pid,
    announced: JSON.parse(line) as Readonly<Record<string, unknown>>,
    stop,
  };
}

/** Child's side: say that the server is ready. */
export function announce(facts: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(facts)}\n`);
}

/** Child's side: end when the parent has gone. */
export function endWithStdin(): void {
  for (const event of ['end', 'close']) process.stdin.on(event, () => process.exit(0));
  process.stdin.resume();
}

/** Listen on 127.0.0.1; 0 takes a free port. Resolves to the port. */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', 1_024, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Parent's side of a server's control port. */
export interface ControlClient {
  /** All records, in order of arrival. */
  log(): Promise<RequestRecord[]>;
  clearLog(): Promise<void>;
  /** Make a call that the server offers beyond the log. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Speak to the control server on this port. */
export function createControlClient(controlPort: number): ControlClient {
  const send = async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${controlPort}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`control ${method} ${path}: ${response.status} ${answer}`);
    return answer;
  };
  return {
    log: async () => {
      const lines = (await send('GET', '/log')).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as RequestRecord);
    },
    clearLog: async () => {
      await send('DELETE', '/log');
    },
    call: async (method, path, body) => JSON.parse(await send(method, path, body)) as unknown,
  };
}
