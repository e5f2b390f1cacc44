/** What the frontier keeps of traps is bounded, sound, and goes with the crawl. */
import { afterAll, describe, expect, inject, it } from 'vitest';
import { shardKeys } from '../../../src/frontier/keys.js';
import { RedisFrontier } from '../../../src/frontier/redis-frontier.js';
import { connectRedis } from '../../../src/redis/connection.js';
import { auditFrontier } from '../../support/frontier/audit.js';
import { discovered, discoveredMany } from '../../support/frontier/builders.js';
import { HostRun, nominated, openCrawl } from '../../support/frontier/drive.js';

const redis = connectRedis(inject('redisUrl'));
afterAll(() => redis.quit());

const HOST = 'a.example.com';
const backEnd = {
  dedupe: 'exact',
  make: (crawlId: string) => new RedisFrontier(redis, crawlId),
} as const;

/** Fetch all that is queued at the host, each page with the digest that `textOf` says. */
async function fetchAll(run: HostRun, textOf: (n: number) => string): Promise<void> {
  let reply = await run.lease();
  for (let n = 0; reply.status === 'lease'; n += 1) {
    reply = await run.complete(reply.item.url, 'fetched', { textDigest: textOf(n) });
  }
}

describe('the table of texts', () => {
  it('has at most 1,000 texts a host, and keeps those that many pages have', async () => {
    const frontier = await openCrawl(backEnd, { trapBudget: 20 });
    const { alikePrefix } = shardKeys(frontier.crawlId);
    await frontier.addUrls(discoveredMany(HOST, 2500));
    await nominated(frontier);
    // Every tenth page says the same, all others something of their own.
    await fetchAll(new HostRun(frontier, HOST), (n) => (n % 10 === 0 ? 'same' : `own-${n}`));
    const table = await redis.hgetall(alikePrefix + HOST);
    const texts = Object.keys(table).filter((field) => !field.startsWith('~'));
    expect(texts.length).toBeGreaterThan(990);
    expect(texts.length).toBeLessThanOrEqual(1000);
    expect(table['same']).toBe('250:0');
    expect(await redis.keys(`${alikePrefix.replace(/[[\]*?\\]/g, '\\$&')}*`)).toHaveLength(1);
    // What it forgot is in a bitmap, once each.
    const forgotten = Number(table['~forgotten']);
    expect(forgotten).toBeGreaterThan(1200);
    expect(forgotten).toBeLessThanOrEqual(2250);
    const page = { hostKey: HOST, textDigest: 'same' };
    expect(await frontier.addUrls([discovered(HOST, 'x')], page)).toMatchObject({ held: 1 });
  });

  it('holds back endless addresses of five hundred real pages, each with a text of its own', async () => {
    const frontier = await openCrawl(backEnd, { trapBudget: 4 });
    await frontier.addUrls(discoveredMany(HOST, 2000));
    await nominated(frontier);
    await fetchAll(new HostRun(frontier, HOST), (n) => `text-${n % 500}`);
    let held = 0;
    for (let n = 0; n < 500; n += 1) {
      const page = { hostKey: HOST, textDigest: `text-${n}` };
      held += (await frontier.addUrls([discovered(HOST, `variant-${n}`)], page)).held;
    }
    expect(held).toBe(500);
  });

  it('is not written without traps', async () => {
    const frontier = await openCrawl(backEnd, { traps: false });
    await frontier.addUrls(discoveredMany(HOST, 3));
    await nominated(frontier);
    await fetchAll(new HostRun(frontier, HOST), () => 'same');
    expect(await redis.exists(shardKeys(frontier.crawlId).alikePrefix + HOST)).toBe(0);
  });
});

describe('the bitmap of texts that a full table forgot', () => {
  const staleOf = async (crawlId: string) =>
    Number((await redis.hget(shardKeys(crawlId).alikePrefix + HOST, '~alikeHost'))?.split(':')[0]);

  const textsOf = async (crawlId: string) => {
    const fields = await redis.hkeys(shardKeys(crawlId).alikePrefix + HOST);
    return fields.filter((field) => !field.startsWith('~')).length;
  };

  it('knows each of them again, and none that was never there', async () => {
    const frontier = await openCrawl(backEnd, { trapBudget: 100 });
    const { alikePrefix, forgottenPrefix } = shardKeys(frontier.crawlId);
    await frontier.addUrls(discoveredMany(HOST, 990, 'first'));
    await nominated(frontier);
    const run = new HostRun(frontier, HOST);
    await fetchAll(run, (n) => `text-${n}`);
    expect(await redis.exists(forgottenPrefix + HOST)).toBe(0);
    await frontier.addUrls(discoveredMany(HOST, 2010, 'second'));
    await fetchAll(run, (n) => `text-${990 + n}`);
    // All were new: nothing was counted, and the table has forgotten two thousand.
    expect(await redis.hexists(alikePrefix + HOST, '~alikeHost')).toBe(0);
    expect(await redis.strlen(forgottenPrefix + HOST)).toBeLessThanOrEqual(65_536);

    await frontier.addUrls(discoveredMany(HOST, 400, 'third'));
    await fetchAll(run, (n) => `text-${n * 7}`);
    expect(await staleOf(frontier.crawlId)).toBe(400);
    expect(await textsOf(frontier.crawlId)).toBeLessThanOrEqual(1000);
    for (const textDigest of ['text-1', 'text-999', 'text-2999']) {
      const page = { hostKey: HOST, textDigest };
      expect(await frontier.addUrls([discovered(HOST, textDigest)], page)).toMatchObject({
        held: 1,
      });
    }
    const page = { hostKey: HOST, textDigest: 'text-3000' };
    expect(await frontier.addUrls([discovered(HOST, 'x')], page)).toMatchObject({ added: 1 });
    expect(await textsOf(frontier.crawlId)).toBeLessThanOrEqual(1000);

    await frontier.delete();
    expect(await redis.exists(forgottenPrefix + HOST)).toBe(0);
  });

  it('takes 65,536 in, and no more: a full one would know everything', async () => {
    const frontier = await openCrawl(backEnd);
    const { alikePrefix, forgottenPrefix } = shardKeys(frontier.crawlId);
    await frontier.addUrls(discoveredMany(HOST, 1100));
    await nominated(frontier);
    await redis.hset(alikePrefix + HOST, '~forgotten', 65_530);
    await fetchAll(new HostRun(frontier, HOST), (n) => `text-${n}`);
    expect(await redis.hget(alikePrefix + HOST, '~forgotten')).toBe('65536');
    expect(await redis.bitcount(forgottenPrefix + HOST)).toBeLessThanOrEqual(18);
  });

  it('ends a site of more pages than the table keeps, behind random parameters', async () => {
    const frontier = await openCrawl(backEnd, { trapBudget: 50 });
    const pages = 1500;
    await frontier.addUrls([discovered(HOST, 'page/0')]);
    await nominated(frontier);
    const run = new HostRun(frontier, HOST);
    const said = new Set<number>();
    let [reply, fetched] = [await run.lease(), 0];
    for (; reply.status === 'lease' && fetched < 9000; fetched += 1) {
      const { url } = reply.item;
      const n = Number(/page\/(\d+)/.exec(url)?.[1]);
      said.add(n);
      const links = [n * 2 + 1, n * 2 + 2].map((to) =>
        discovered(HOST, `page/${to % pages}?r=${fetched}-${to}`),
      );
      const textDigest = `text ${n}`;
      await frontier.addUrls(links, { hostKey: HOST, textDigest });
      reply = await run.complete(url, 'fetched', { textDigest });
    }
    expect(said.size).toBe(pages);
    expect(reply.status).toBe('idle');
    expect(fetched).toBeLessThan(4 * pages + 3 * 150);
  }, 30_000);
});

describe('the list of held URLs', () => {
  it('is bounded: what comes past it is counted, and those that are listed stay known', async () => {
    const frontier = await openCrawl(backEnd);
    const { trapped } = shardKeys(frontier.crawlId);
    const suspicion = { rule: 'deepPath', weight: 'hold' } as const;
    const first = discovered(HOST, 'first', { suspicion });
    await frontier.addUrls([first]);
    for (let from = 1; from < 100_000; from += 10_000) {
      const filler = Array.from({ length: Math.min(10_000, 100_000 - from) }, (_unused, n) => [
        `filler-${from + n}`,
        'x',
      ]);
      await redis.hset(trapped, ...filler.flat());
    }
    expect(await redis.hlen(trapped)).toBe(100_000);
    const offered = [first, discovered(HOST, 'second', { suspicion })];
    const reply = { added: 0, seen: 0, held: 1, unlisted: 1 };
    expect(await frontier.addUrls(offered)).toEqual(reply);
    expect(await redis.hlen(trapped)).toBe(100_000);
    expect((await frontier.status()).totals.rejected).toEqual({ trap: 1 });
    await frontier.delete();
    expect(await redis.exists(trapped)).toBe(0);
  });
});

describe('a crawl with traps', () => {
  it('keeps sound totals through holding, later, retries and requeueing', async () => {
    const frontier = await openCrawl(backEnd, { trapBudget: 3, maxHostsPerDomain: 1 });
    const sound = async () => expect(await auditFrontier(redis, frontier.crawlId)).toEqual([]);
    await frontier.addUrls(discoveredMany(HOST, 4, 'a'));
    await nominated(frontier);
    const run = new HostRun(frontier, HOST);
    let reply = await run.lease();
    for (let n = 0; reply.status === 'lease' && n < 40; n += 1) {
      const page = { hostKey: HOST, textDigest: 'same' };
      const links = [...discoveredMany(HOST, 3, `n${n}-`), discovered(`h${n}.example.com`, '')];
      await frontier.addUrls(links, page);
      await sound();
      const { url } = reply.item;
      reply =
        n % 5 === 4
          ? await run.complete(url, 'retrying', { dueInMs: 0 })
          : await run.complete(url, 'fetched', { textDigest: 'same' });
      await sound();
    }
    const before = (await frontier.status()).totals;
    expect(before.trapped).toBeGreaterThan(20);
    expect(await frontier.requeueHeld(1000)).toBe(before.trapped);
    await sound();
    const after = (await frontier.status()).totals;
    expect(after.discovered).toBe(before.discovered + before.trapped);
    expect(after.rejected['trap']).toBe(0);
  });
});
