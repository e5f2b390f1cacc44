import { describe, expect, it } from 'vitest';
import { judgeServer } from '../../../src/redis/server-check.js';
import { parseInfo, type ServerFacts } from '../../../src/redis/server-facts.js';

const FIT: ServerFacts = {
  version: '8.2.3',
  role: 'master',
  evictionPolicy: 'noeviction',
  usedBytes: 1e6,
  maxBytes: 0,
  machineBytes: 8e9,
  isAofOn: true,
  aofWriteStatus: 'ok',
  appendfsync: 'everysec',
  savePoints: '3600 1',
  lastSaveStatus: 'ok',
  listCompressDepth: 1,
  hasBloom: true,
};
const found = (changes: Partial<ServerFacts>, dedupe: 'bloom' | 'exact' = 'bloom') =>
  judgeServer({ ...FIT, ...changes }, { dedupe }).map(({ level, check }) => `${level} ${check}`);

describe('judgeServer (Q4)', () => {
  it.each([
    ['nothing of a fit server', {}, []],
    ['an old version', { version: '6.2.14' }, ['error version']],
    ['a failing append-only file', { aofWriteStatus: 'err' }, ['error aof']],
    ['failing snapshots', { lastSaveStatus: 'err' }, ['error save']],
    ['missing BF.*', { hasBloom: false }, ['error bloom']],
    ['a full machine', { usedBytes: 7.5e9 }, ['error memory']],
    ['a machine that fills up', { usedBytes: 6.5e9 }, ['warning memory']],
    [
      'nothing that it was not told',
      { appendfsync: null, savePoints: null, listCompressDepth: null },
      [],
    ],
  ] as [string, Partial<ServerFacts>, string[]][])('finds %s', (_name, changes, expected) => {
    expect(found(changes)).toEqual(expected);
  });

  it('only warns of missing BF.* where no crawl needs it', () => {
    expect(found({ hasBloom: false }, 'exact')).toEqual(['warning bloom']);
  });
});

describe('parseInfo', () => {
  it('reads lines of names and values, not headings', () => {
    expect(parseInfo('# Server\r\nredis_version:8.2.3\r\nos:Linux 6:1\r\nempty:\r\n')).toEqual({
      redis_version: '8.2.3',
      os: 'Linux 6:1',
      empty: '',
    });
  });
});
