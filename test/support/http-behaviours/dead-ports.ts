/** Ports that no connection can be made to: refused, or never answered. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens and then never gets to accepting: what waits is the system's queue alone. */
const LISTENER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;
/** A connection on loopback that takes longer than this is in nobody's queue. */
const PATIENCE_MS = 300;

/** A port that was free a moment ago, and that nobody listens on. */
export async function closedPort(): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { port, close: () => Promise.resolve() };
}

/** A port whose queue of connections is full, so that further ones are never answered. */
export async function fillBacklog(): Promise<{ port: number; close(): Promise<void> }> {
  const listener = new Worker(LISTENER, { eval: true });
  const port = await new Promise<number>((resolve) => listener.once('message', resolve));
  const sockets: Socket[] = [];
  let isFull = false;
  while (!isFull) {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    sockets.push(socket);
    isFull = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), PATIENCE_MS);
      socket.once('connect', () => {
        clearTimeout(timer);
        resolve(false);
      });
    });
  }
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await listener.terminate();
    },
  };
}
