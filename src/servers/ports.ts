/** Free TCP ports on loopback. */
import { createServer } from 'node:net';
import { ConfigError } from '../errors.js';

/** All servers of a data directory listen here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

/** Can this port be bound on loopback now? */
export async function isPortFree(port: number): Promise<boolean> {
  return (await bind([port])) !== undefined;
}

/**
 * Ports that are free now, each a different one: all are held open until the last is known.
 *
 * @param count how many
 * @throws CONFIG_SERVER_UNAVAILABLE when the system has none to give
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = await bind(new Array<number>(count).fill(0));
  if (ports === undefined) {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `No free TCP port on ${LOOPBACK}: the system refused to bind ${count}. End other servers, or raise the range of local ports.`,
    );
  }
  return ports;
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
