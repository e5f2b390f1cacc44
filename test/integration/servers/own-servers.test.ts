import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { freePorts, isPortFree } from '../../../src/servers/ports.js';
import { identifyProcess, isSameProcessAlive } from '../../../src/servers/process-identity.js';
import { supervise } from '../../../src/servers/supervise.js';
import { freshRedis, freshTemporal } from '../../support/servers.js';

describe('a Redis of its own', () => {
  it('keeps acknowledged writes over kill -9 and restart, on the same port', async () => {
    const server = await freshRedis(['--appendfsync', 'always']);
    const client = new Redis(server.url);
    await client.set('k', 'kept');
    client.disconnect();
    const before = { pid: server.pid, url: server.url };
    await server.kill('SIGKILL');
    expect(server.isRunning()).toBe(false);
    await server.restart();
    expect(server.pid).not.toBe(before.pid);
    expect(server.url).toBe(before.url);
    const again = new Redis(server.url);
    expect(await again.get('k')).toBe('kept');
    again.disconnect();
    await server.dispose();
    expect(identifyProcess(server.pid)).toBeUndefined();
  });

  it('that can not start is refused with the end of its log', async () => {
    await expect(freshRedis(['--no-such-option', '1'])).rejects.toMatchObject({
      code: 'CONFIG_SERVER_UNAVAILABLE',
      message: expect.stringMatching(/Redis ended at once[^]*no-such-option/),
    });
  });
});

describe('a Temporal of its own', () => {
  it('ends cleanly on stop and starts again on its address', async () => {
    const server = await freshTemporal();
    const { address } = server;
    await server.stop();
    expect(server.isRunning()).toBe(false);
    await server.restart();
    expect(server.address).toBe(address);
    expect((await fetch(server.uiUrl)).status).toBe(200);
    await server.dispose();
  });
});

describe('supervise', () => {
  it('tries again, saying why, until a server that can not start can', async () => {
    const server = await freshRedis();
    const lines: string[] = [];
    const stop = new AbortController();
    const supervised = supervise('Redis', server, (line) => lines.push(line), stop.signal);
    const aofDir = join(server.dir, 'appendonlydir');
    const manifest = join(aofDir, readdirSync(aofDir).find((n) => n.endsWith('.manifest')) ?? '');
    const good = readFileSync(manifest);
    writeFileSync(manifest, 'no manifest at all');
    await server.kill('SIGKILL');
    await vi.waitUntil(() => lines.some((line) => line.includes('ended at once')));
    expect(lines[0]).toBe('Redis: ended unexpectedly (exit code 137), starting it again');
    expect(lines.some((line) => line.includes('manifest'))).toBe(true);
    writeFileSync(manifest, good);
    await vi.waitUntil(() => lines.includes('Redis: running again'), { timeout: 30_000 });
    stop.abort();
    await supervised;
    await server.dispose();
  });
});

describe('ports', () => {
  it('are free, different, and below those of outgoing connections', async () => {
    const ports = await freePorts(20);
    expect(new Set(ports).size).toBe(20);
    for (const port of ports) expect(port).toBeLessThan(32_768);
    expect(await isPortFree(ports[0] ?? 0)).toBe(true);
  });

  it('that somebody listens on are not free', async () => {
    const [port = 0] = await freePorts(1);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await isPortFree(port)).toBe(false);
    server.close();
  });
});

describe('process identity', () => {
  it('tells a process from a later one with its pid', () => {
    const self = identifyProcess(process.pid);
    expect(self && isSameProcessAlive(self)).toBe(true);
    expect(isSameProcessAlive({ pid: process.pid, startedAt: 'another boot:1' })).toBe(false);
    expect(identifyProcess(2 ** 22 - 1)).toBeUndefined();
  });
});
