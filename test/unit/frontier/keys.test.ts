import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateKey, shardKeys } from '../../../src/frontier/keys.js';

/** Hash tag as Redis Cluster takes it: between the first { and the first } after it. */
const hashTag = (key: string): string | undefined => /\{([^}]+)\}/.exec(key)?.[1];

describe('keys of a crawl (F8)', () => {
  it('share one hash tag of the crawl and the shard, whatever the id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(99), (crawlId, shard) => {
        const keys = Object.values(shardKeys(crawlId, shard)) as string[];
        const tags = new Set(keys.map(hashTag));
        expect(tags.size).toBe(1);
        expect([...tags][0]).toMatch(new RegExp(`:${shard}$`));
      }),
    );
  });

  it('of two crawls never begin alike, so that deleting one leaves the other', () => {
    const id = fc.oneof(fc.string(), fc.constantFrom('a', 'a:0', 'a}', '{a', 'a:0}:h', '%7D', '}'));
    fc.assert(
      fc.property(id, id, (one, other) => {
        fc.pre(one !== other);
        expect(shardKeys(other).crawl.startsWith(shardKeys(one).prefix)).toBe(false);
      }),
    );
  });

  it('differ between shards', () => {
    expect(shardKeys('a', 1).crawl).not.toBe(shardKeys('a', 0).crawl);
  });

  it('of a gate has the host as its tag, outside any crawl', () => {
    expect(hashTag(gateKey('example.com:8080'))).toBe('example.com:8080');
  });
});
