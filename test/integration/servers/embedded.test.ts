import { writeFileSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Client, Connection } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { joinEmbeddedServers } from '../../../src/servers/embedded.js';
import { freePorts } from '../../../src/servers/ports.js';
import {
  freshDataDir,
  joinInProcess,
  killNow,
  processesOf,
  serverOf,
  until,
} from './embedded-fixture.js';

function joinQuietly(dataDir: string, ports: { uiPort?: number; redisPort?: number } = {}) {
  const lines: string[] = [];
  return joinEmbeddedServers({ dataDir, report: (line) => lines.push(line), ...ports }).then(
    (servers) => ({ ...servers, lines }),
  );
}

async function setInRedis(redisUrl: string, key: string, value: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.set(key, value);
  redis.disconnect();
}

async function getFromRedis(redisUrl: string, key: string): Promise<string | null> {
  const redis = new Redis(redisUrl);
  const value = await redis.get(key);
  redis.disconnect();
  return value;
}

async function describeDefaultNamespace(address: string): Promise<string | null | undefined> {
  const connection = await Connection.connect({ address });
  const reply = await connection.workflowService.describeNamespace({ namespace: 'default' });
  await connection.close();
  return reply.namespaceInfo?.name;
}

/** Nobody polls its queue, so it stays as it is: a mark in Temporal's database. */
async function startWorkflow(address: string, workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address });
  await new Client({ connection }).workflow.start('waits', {
    workflowId,
    taskQueue: 'nobody',
    searchAttributes: { CrawlId: ['kept'] },
  });
  await connection.close();
}

async function workflowStatus(address: string, workflowId: string): Promise<string> {
  const connection = await Connection.connect({ address });
  const { status } = await new Client({ connection }).workflow.getHandle(workflowId).describe();
  await connection.close();
  return status.name;
}

describe('embedded servers: starting and joining', () => {
  it('starts a Redis with Bloom and a Temporal with a web UI, a line for each step', async () => {
    const servers = await joinQuietly(freshDataDir());
    expect(servers.joined).toBe(false);
    const redis = new Redis(servers.redisUrl);
    expect(await redis.call('BF.RESERVE', 'b', '0.000001', '1000')).toBe('OK');
    redis.disconnect();
    expect(await describeDefaultNamespace(servers.temporalAddress)).toBe('default');
    expect((await fetch(servers.uiUrl)).status).toBe(200);
    expect(servers.lines).toEqual([
      'Redis: starting',
      'Temporal: starting',
      expect.stringMatching(/^(Redis|Temporal): ready on /),
      expect.stringMatching(/^(Redis|Temporal): ready on /),
    ]);
    await servers.close();
  });

  it('a second process joins the running servers, and they stay when the first one goes', async () => {
    const dataDir = freshDataDir();
    const first = await joinQuietly(dataDir);
    const second = joinInProcess(dataDir);
    const joined = await second.servers;
    expect(joined.joined).toBe(true);
    expect(joined.redisUrl).toBe(first.redisUrl);
    await setInRedis(first.redisUrl, 'k', 'of the first');
    await first.close();
    const third = await joinQuietly(dataDir);
    expect(third.keeperPid).toBe(first.keeperPid);
    expect(await getFromRedis(joined.redisUrl, 'k')).toBe('of the first');
    await third.close();
    second.killGroup();
  });

  it('processes that start at once end up with one keeper, one Redis and one Temporal', async () => {
    const dataDir = freshDataDir();
    const processes = Array.from({ length: 5 }, () => joinInProcess(dataDir));
    const all = await Promise.all(processes.map((one) => one.servers));
    expect(new Set(all.map((one) => one.keeperPid)).size).toBe(1);
    expect(new Set(all.map((one) => one.redisUrl)).size).toBe(1);
    expect(all.filter((one) => !one.joined)).toHaveLength(1);
    const log = readFileSync(join(dataDir, 'logs', 'keeper.log'), 'utf8');
    expect(log.match(/keeping the servers/g)).toHaveLength(1);
    for (const one of processes) one.killGroup();
    await until(() => processesOf(dataDir).length === 0);
  });

  it('the last one out ends the servers, and the next start has the same ports and data', async () => {
    const dataDir = freshDataDir();
    const before = await joinQuietly(dataDir);
    await setInRedis(before.redisUrl, 'k', 'kept');
    await startWorkflow(before.temporalAddress, 'w');
    await before.close();
    await until(() => processesOf(dataDir).length === 0);
    const after = await joinQuietly(dataDir);
    expect(after.joined).toBe(false);
    expect([after.redisUrl, after.temporalAddress, after.uiUrl]).toEqual([
      before.redisUrl,
      before.temporalAddress,
      before.uiUrl,
    ]);
    expect(await getFromRedis(after.redisUrl, 'k')).toBe('kept');
    expect(await workflowStatus(after.temporalAddress, 'w')).toBe('RUNNING');
    await after.close();
  });

  it('who comes while the last servers are stopping gets new ones', async () => {
    const dataDir = freshDataDir();
    const before = await joinQuietly(dataDir);
    await before.close();
    await until(() =>
      readFileSync(join(dataDir, 'logs', 'keeper.log'), 'utf8').includes('no client'),
    );
    const after = await joinQuietly(dataDir);
    expect(after.keeperPid).not.toBe(before.keeperPid);
    expect(await describeDefaultNamespace(after.temporalAddress)).toBe('default');
    await after.close();
  });

  it('takes the ports that are asked for, and says when one is taken', async () => {
    const [uiPort = 0, takenPort = 0] = await freePorts(2);
    const servers = await joinQuietly(freshDataDir(), { uiPort });
    expect(servers.uiUrl).toBe(`http://127.0.0.1:${uiPort}`);
    await servers.close();

    const other = createServer();
    await new Promise<void>((resolve) => other.listen(takenPort, '127.0.0.1', resolve));
    await expect(joinQuietly(freshDataDir(), { redisPort: takenPort })).rejects.toMatchObject({
      code: 'CONFIG_SERVER_UNAVAILABLE',
      message: expect.stringContaining(`redisPort: 127.0.0.1:${takenPort} is in use`),
    });
    other.close();
  });

  it('works in a directory whose path is too long for a socket', async () => {
    const dataDir = join(freshDataDir(), 'a'.repeat(60), 'b'.repeat(60));
    const servers = await joinQuietly(dataDir);
    expect(readdirSync(dataDir)).not.toContain('keeper.sock');
    const second = await joinQuietly(dataDir);
    expect(second.joined).toBe(true);
    await Promise.all([servers.close(), second.close()]);
  });

  it('refuses a port that is none and a directory that can not be written', async () => {
    await expect(joinQuietly(freshDataDir(), { uiPort: 70_000 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringContaining('uiPort: 70000'),
    });
    await expect(joinQuietly('/dev/null/data')).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringContaining('dataDir: /dev/null/data'),
    });
  });
});

describe('embedded servers: kills', () => {
  it('kill -9 of the last client and its process group leaves no process', async () => {
    const dataDir = freshDataDir();
    const client = joinInProcess(dataDir);
    await client.servers;
    expect(processesOf(dataDir).length).toBeGreaterThan(3);
    client.killGroup();
    await until(() => processesOf(dataDir).length === 0);
  });

  it('kill -9 of a client while the servers start leaves no process', async () => {
    const dataDir = freshDataDir();
    const client = joinInProcess(dataDir);
    await until(() => client.lines.includes('Temporal: starting'));
    client.killGroup();
    await until(() => processesOf(dataDir).length === 0);
  });

  it('kill -9 of the keeper ends both servers, tells the client, and joining again revives all', async () => {
    const dataDir = freshDataDir();
    const client = joinInProcess(dataDir);
    const before = await client.servers;
    await setInRedis(before.redisUrl, 'k', 'kept');
    killNow(before.keeperPid);
    await until(() => client.isLost());
    const again = await joinQuietly(dataDir);
    expect(again.joined).toBe(false);
    expect([again.redisUrl, again.temporalAddress]).toEqual([
      before.redisUrl,
      before.temporalAddress,
    ]);
    expect(await getFromRedis(again.redisUrl, 'k')).toBe('kept');
    await again.close();
    client.killGroup();
    await until(() => processesOf(dataDir).length === 0);
  });

  it('servers whose keeper and watchers were all killed are ended by the next start', async () => {
    const dataDir = freshDataDir();
    const client = joinInProcess(dataDir);
    const { keeperPid, redisUrl } = await client.servers;
    const left = [serverOf(dataDir, 'redis-server'), serverOf(dataDir, 'temporal')];
    // The keeper first: it would start the servers of killed watchers again.
    killNow(keeperPid, 'SIGSTOP');
    const shells = processesOf(dataDir).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh'),
    );
    for (const pid of [...shells, keeperPid]) killNow(pid);
    client.killGroup();
    await until(() => !processesOf(dataDir).includes(keeperPid));
    expect(processesOf(dataDir)).toEqual(expect.arrayContaining(left));

    const again = await joinQuietly(dataDir);
    expect(again.redisUrl).toBe(redisUrl);
    expect(processesOf(dataDir).filter((pid) => left.includes(pid))).toEqual([]);
    await again.close();
    await until(() => processesOf(dataDir).length === 0);
  });

  it.each([
    ['Redis', 'redis-server'],
    ['Temporal', 'temporal'],
  ])('%s killed with -9 runs again on its port, with its data', async (name, word) => {
    const dataDir = freshDataDir();
    const servers = await joinQuietly(dataDir);
    await setInRedis(servers.redisUrl, 'k', 'kept');
    await startWorkflow(servers.temporalAddress, 'w');
    const pid = serverOf(dataDir, word);
    killNow(pid);
    await until(() => servers.lines.includes(`${name}: running again`));
    expect(serverOf(dataDir, word)).not.toBe(pid);
    expect(await getFromRedis(servers.redisUrl, 'k')).toBe('kept');
    expect(await workflowStatus(servers.temporalAddress, 'w')).toBe('RUNNING');
    await servers.close();
  });
});

describe('embedded servers: what an earlier life left behind', () => {
  it('stale records, a stale socket and a stale lock heal', async () => {
    const dataDir = freshDataDir();
    const dead = { pid: 2 ** 22 - 1, startedAt: 'another boot:1' };
    writeFileSync(join(dataDir, 'keeper-7.lock'), JSON.stringify(dead));
    writeFileSync(join(dataDir, 'keeper.sock'), '');
    const socketPath = join(dataDir, 'keeper.sock');
    writeFileSync(join(dataDir, 'keeper.json'), JSON.stringify({ ...dead, socketPath }));
    writeFileSync(join(dataDir, 'processes.json'), JSON.stringify({ Redis: dead }));
    writeFileSync(join(dataDir, 'ports.json'), '{"redisPort": 1');
    const servers = await joinQuietly(dataDir);
    expect(servers.joined).toBe(false);
    expect(await describeDefaultNamespace(servers.temporalAddress)).toBe('default');
    await servers.close();
  });

  it('a pid on record that another process has now is left alone', async () => {
    const dataDir = freshDataDir();
    const reused = { pid: process.pid, startedAt: 'another boot:1' };
    for (const file of ['keeper-1.lock', 'keeper.json']) {
      writeFileSync(join(dataDir, file), JSON.stringify({ ...reused, socketPath: '/nowhere' }));
    }
    writeFileSync(join(dataDir, 'processes.json'), JSON.stringify({ Redis: reused }));
    const servers = await joinQuietly(dataDir);
    expect(servers.joined).toBe(false);
    await servers.close();
  });

  it('a torn end of the AOF costs only what was torn, an unclean SQLite log nothing (F9)', async () => {
    const dataDir = freshDataDir();
    const client = joinInProcess(dataDir);
    const before = await client.servers;
    await setInRedis(before.redisUrl, 'k', 'kept');
    await startWorkflow(before.temporalAddress, 'w');
    // All at once, so that nobody writes a snapshot: keeper stopped, servers killed, then the rest.
    killNow(before.keeperPid, 'SIGSTOP');
    for (const pid of processesOf(dataDir)) killNow(pid);
    await until(() => processesOf(dataDir).length === 0);
    const aofDir = join(dataDir, 'redis', 'appendonlydir');
    const increment = readdirSync(aofDir).find((name) => name.endsWith('.incr.aof')) ?? '';
    const torn = '*3\r\n$3\r\nSET\r\n$4\r\ntorn\r\n$100\r\nhalf';
    writeFileSync(join(aofDir, increment), torn, { flag: 'a' });

    const again = await joinQuietly(dataDir);
    expect(await getFromRedis(again.redisUrl, 'k')).toBe('kept');
    expect(await getFromRedis(again.redisUrl, 'torn')).toBeNull();
    expect(await workflowStatus(again.temporalAddress, 'w')).toBe('RUNNING');
    await again.close();
  });
});
