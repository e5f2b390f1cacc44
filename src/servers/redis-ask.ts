/** One command to a Redis over a raw socket: enough for readiness and probes, without a client. */
import { connect, type NetConnectOpts } from 'node:net';

/** Where a Redis listens. */
export type RedisEndpoint =
  { readonly port: number; readonly host: string } | { readonly path: string };

/**
 * Send one command and return the first line of its reply, type mark included (`+PONG`, `-ERR …`).
 *
 * @param timeoutMs for connecting and answering together
 * @throws Error when nobody listens or answers in time
 */
export function askRedis(
  endpoint: RedisEndpoint,
  command: readonly string[],
  timeoutMs = 2_000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(endpoint as NetConnectOpts);
    let reply = '';
    const end = (act: () => void): void => {
      socket.destroy();
      act();
    };
    socket.setTimeout(timeoutMs, () =>
      end(() => reject(new Error(`no answer in ${timeoutMs} ms`))),
    );
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => reject(new Error('connection closed without an answer')));
    socket.on('data', (chunk) => {
      reply += chunk.toString('utf8');
      const lineEnd = reply.indexOf('\r\n');
      if (lineEnd >= 0) end(() => resolve(reply.slice(0, lineEnd)));
    });
    const words = command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
    socket.write(`*${command.length}\r\n${words}`);
  });
}
