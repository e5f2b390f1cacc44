/** Free TCP ports on loopback. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { ConfigError } from '../errors.js';

/** All servers of a data directory listen here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

/** Can this port be bound on loopback now? */
export async function isPortFree(port: number): Promise<boolean> {
  return (await bind([port])) !== undefined;
}

/**
 * Ports below those that systems hand out for outgoing connections (Linux from 32,768, macOS from
 * 49,152). A server that restarts must find its port free, and a client that knocks at a dead
 * port of that range can be given the very same port as its source and meet itself.
 */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 31_999;
const MAX_TRIES = 50;

/**
 * Ports that are free now, each a different one: all are held open until the last is known.
 *
 * @param count how many
 * @throws CONFIG_SERVER_UNAVAILABLE when none are found
 */
export async function freePorts(count: number): Promise<number[]> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const ports = await bind(
      Array.from({ length: count }, () => randomInt(LOWEST_PORT, HIGHEST_PORT + 1)),
    );
    if (ports) return ports;
  }
  throw new ConfigError(
    'CONFIG_SERVER_UNAVAILABLE',
    `No ${count} free TCP ports on ${LOOPBACK} between ${LOWEST_PORT} and ${HIGHEST_PORT} in ${MAX_TRIES} tries. End other servers.`,
  );
}

async function bind(ports: readonly number[]): Promise<number[] | undefined> {
  const servers = ports.map(() => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server, index) =>
          new Promise<number>((resolve, reject) => {
            server.once('error', reject);
            server.listen({ host: LOOPBACK, port: ports[index] ?? 0, exclusive: true }, () => {
              const address = server.address();
              if (address === null || typeof address === 'string') reject(new Error('no address'));
              else resolve(address.port);
            });
          }),
      ),
    );
  } catch {
    return undefined;
  } finally {
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
  }
}
