import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrawlClient, type HostStatus, type ListedCrawl } from '../../../src/client/index.js';
import { prepareFleet, type Fleet } from './fleet.js';

let fleet: Fleet;
let crawls: CrawlClient;

beforeAll(async () => {
  fleet = await prepareFleet();
  await fleet.start();
  crawls = new CrawlClient({ client: fleet.client, taskQueue: fleet.taskQueue });
});

afterAll(() => fleet.dispose());

/** A crawl that fetches its host's robots.txt at most, for a minute. Hosts' clocks are shared. */
const idle = (host: number) =>
  fleet.options({
    crawlId: newId(),
    seeds: [`http://${fleet.host(host)}/`],
    scope: 'host',
    delayMs: 60_000,
  });

const newId = () => `client-${randomUUID()}`;

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

/** Look until it is as expected; the test's own time limit ends a vain wait. */
async function until<T>(look: () => Promise<T>, isThere: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
  }
}

describe('CrawlClient (C6)', () => {
  it('crawls, and tells the result, the progress and the hosts of a crawl that is over', async () => {
    const crawl = await crawls.start(fleet.options({ crawlId: newId() }));
    const result = await crawl.result();
    expect(result).toMatchObject({
      crawlId: crawl.crawlId,
      state: 'finished',
      finishReason: 'completed',
      refusedSeeds: [],
    });
    expect(result.totals.fetched).toBeGreaterThan(15);
    expect(await crawl.progress()).toMatchObject({
      workflowStatus: 'COMPLETED',
      state: 'finished',
      totals: result.totals,
    });

    const hosts = await take(crawl.eachHost());
    expect(hosts).toHaveLength(result.totals.hosts);
    const fetched = hosts.reduce((sum, host) => sum + host.fetched, 0);
    expect(fetched).toBe(result.totals.fetched);
    const paged: HostStatus[] = [];
    for (let after = ''; ;) {
      const page = await crawl.hosts({ after, limit: 2 });
      if (page.length === 0) break;
      paged.push(...page);
      after = page.at(-1)!.hostKey;
    }
    expect(paged.map(({ hostKey }) => hostKey)).toEqual(hosts.map(({ hostKey }) => hostKey));
  });

  it('shows each crawl once in the list, and in the web UI by id, summary and seeds', async () => {
    const crawl = await crawls.start(fleet.options({ crawlId: newId(), maxPages: 1 }));
    await crawl.result();
    await (await crawl.resume({ maxPages: 2 })).result();
    const look = () => take(crawls.list({ taskQueue: fleet.taskQueue }));
    const mine = (listed: ListedCrawl[]) =>
      listed.filter(({ crawlId }) => crawlId === crawl.crawlId);
    const listed = await until(look, (seen) => mine(seen)[0]?.status === 'COMPLETED');
    expect(mine(listed)).toHaveLength(1);
    expect(await take(crawls.list({ taskQueue: fleet.taskQueue, limit: 1 }))).toHaveLength(1);

    const first = await take(fleet.client.workflow.list({ query: `CrawlId = '${crawl.crawlId}'` }));
    expect(first.map(({ type }) => type)).toContain('hostWorkflow');
    const described = await fleet.client.workflow.getHandle(crawl.workflowId).describe();
    expect(described.memo).toMatchObject({ crawlId: crawl.crawlId });
    expect(await described.staticSummary()).toBe(`${crawl.crawlId} resumed`);
  });

  it('pauses, adjusts, adds seeds, unpauses and stops', async () => {
    const slow = fleet.options({ crawlId: newId(), delayMs: 60_000 });
    const crawl = await crawls.start(slow);
    expect(await crawl.pause()).toMatchObject({ crawlId: crawl.crawlId });
    await until(
      () => crawl.progress(),
      ({ state }) => state === 'paused',
    );
    const added = await crawl.addSeeds([
      `http://${fleet.host(0)}/extra`,
      `http://${fleet.host(1)}/extra`,
      'mailto:nobody@example.com',
      slow.seeds[0]!,
    ]);
    expect(added).toMatchObject({ offered: 4, added: 2 });
    expect(added.refusedSeeds).toEqual([
      { seed: 'mailto:nobody@example.com', reason: expect.stringContaining('http') as string },
    ]);
    await expect(crawl.adjust({ delayMs: -1 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
    });
    await crawl.adjust({ delayMs: 0 });
    await crawl.unpause();
    const { totals } = await crawl.result();
    expect(totals.fetched).toBeGreaterThan(15);

    await expect(crawl.stop()).rejects.toMatchObject({
      code: 'FRONTIER_CRAWL_STATE',
      message: expect.stringContaining('resume it first') as string,
    });
    const other = await crawls.start({ ...slow, crawlId: newId() });
    await other.stop();
    expect(await other.result()).toMatchObject({ finishReason: 'stopped' });
  });

  it('takes more seeds than one message holds', async () => {
    const more = Array.from(
      { length: 12_000 },
      (_unused, n) => `http://${fleet.host(0)}/${'long/'.repeat(20)}${n}`,
    );
    const seeds = [fleet.web.seedUrl, ...more];
    const crawl = await crawls.start(
      fleet.options({ crawlId: newId(), seeds, maxPages: 1, maxDepth: 0 }),
    );
    await crawl.result();
    const { totals } = await until(
      () => crawl.progress(),
      ({ state, totals: { discovered } }) => state === 'finished' && discovered >= seeds.length,
    );
    expect(totals).toMatchObject({ discovered: seeds.length });
  });

  it('lists dead letters and goes on with them, also after the end', async () => {
    await fleet.web.setFault(fleet.host(1), { kind: 'status', status: 500 });
    const crawl = await crawls.start(
      fleet.options({
        crawlId: newId(),
        seeds: [`http://${fleet.host(1)}/`],
        retries: 0,
        robots: 'ignore',
      }),
    );
    await crawl.result();
    const letters = await take(crawl.eachDeadLetter());
    expect(letters.length).toBeGreaterThan(0);
    await fleet.web.setFault(fleet.host(1), null);
    await crawl.requeueDeadLetters();
    const { totals } = await crawl.result();
    expect(totals.fetched).toBeGreaterThan(0);
    expect(await crawl.deadLetters()).toEqual([]);
  });

  it('lists what is held back as a trap and goes on with it, also after the end', async () => {
    const crawl = await crawls.start(fleet.options({ crawlId: newId(), maxHostsPerDomain: 1 }));
    const { totals } = await crawl.result();
    expect(totals).toMatchObject({ hosts: 1, outstanding: 0 });
    expect(totals.trapped).toBeGreaterThan(0);
    const held = await take(crawl.eachHeldUrl());
    expect(held).toHaveLength(totals.trapped);
    expect(new Set(held.map(({ rule }) => rule))).toEqual(new Set(['maxHostsPerDomain']));
    expect(await crawl.heldUrls({ limit: 1 })).toMatchObject({
      urls: expect.any(Array) as unknown[],
    });
    await crawl.requeueHeld();
    const after = (await crawl.result()).totals;
    expect(after.hosts).toBe(3);
    expect(after.fetched).toBeGreaterThanOrEqual(totals.fetched + held.length);
  });

  it('cancels, and says so to who waits', async () => {
    const crawl = await crawls.start(idle(2));
    await until(
      () => crawl.progress(),
      ({ hostsStarted }) => hostsStarted > 0,
    );
    await crawl.cancel();
    await expect(crawl.result()).rejects.toMatchObject({
      code: 'FRONTIER_CRAWL_STATE',
      message: expect.stringContaining('was cancelled') as string,
    });
    expect(await crawl.progress()).toMatchObject({
      state: 'cancelled',
      workflowStatus: 'CANCELLED',
    });
  });

  it('tells an interrupted crawl from a running one, and resumes it', async () => {
    const crawl = await crawls.start(idle(1));
    await until(
      () => crawl.progress(),
      ({ hostsStarted }) => hostsStarted > 0,
    );
    await fleet.client.workflow.getHandle(crawl.workflowId).terminate('by hand');
    expect(await crawl.progress()).toMatchObject({
      state: 'running',
      workflowStatus: 'TERMINATED',
    });
    await crawl.resume({ delayMs: 0 });
    await expect(crawl.resume()).rejects.toMatchObject({ code: 'FRONTIER_CRAWL_STATE' });
    expect(await crawl.result()).toMatchObject({ finishReason: 'completed' });
  });
});

describe('CrawlClient with what does not exist', () => {
  it('says that there is no such crawl', async () => {
    const crawl = crawls.get(newId());
    const missing = { code: 'FRONTIER_CRAWL_NOT_FOUND' };
    await expect(crawl.progress()).rejects.toMatchObject(missing);
    await expect(crawl.hosts()).rejects.toMatchObject(missing);
    await expect(crawl.pause()).rejects.toMatchObject(missing);
    await expect(crawl.cancel()).rejects.toMatchObject(missing);
    await expect(crawl.result()).rejects.toMatchObject(missing);
    await crawl.resume();
    await expect(crawl.result()).rejects.toMatchObject(missing);
    await expect(crawl.progress()).rejects.toMatchObject(missing);
  });

  it('refuses an id that is taken, running or over', async () => {
    const options = idle(2);
    const crawl = await crawls.start(options);
    await expect(crawls.start(options)).rejects.toMatchObject({ code: 'FRONTIER_CRAWL_EXISTS' });
    await crawl.stop();
    const { finishReason } = await crawl.result();
    await expect(crawls.start(options)).rejects.toMatchObject({ code: 'FRONTIER_CRAWL_EXISTS' });
    expect(await crawl.result()).toMatchObject({ finishReason });
  });

  it('refuses bad options before anything is sent', async () => {
    const crawlId = newId();
    const bad = fleet.options({ crawlId, seeds: ['ftp://example.com/'], delayMs: 'soon' });
    await expect(crawls.start(bad)).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
      details: { fields: expect.arrayContaining(['seeds[0]', 'delayMs']) as string[] },
    });
    await expect(crawls.get(crawlId).result()).rejects.toMatchObject({
      code: 'FRONTIER_CRAWL_NOT_FOUND',
    });
  });

  it('says when no worker answers, and on which queue one is missing', async () => {
    const lonely = new CrawlClient({
      client: fleet.client,
      taskQueue: `nobody-${randomUUID()}`,
      answerTimeoutMs: 500,
    });
    const crawl = await lonely.start(fleet.options({ crawlId: newId() }));
    const silent = {
      code: 'CONFIG_SERVER_UNAVAILABLE',
      retryable: true,
      message: expect.stringMatching(
        /no worker answered within 0\.5 s: none has polled .*nobody-/,
      ) as string,
    };
    await expect(crawl.progress()).rejects.toMatchObject(silent);
    await expect(crawl.hosts()).rejects.toMatchObject(silent);
    await expect(crawl.pause()).rejects.toMatchObject(silent);
    await expect(crawl.addSeeds(['http://a.test/'])).rejects.toMatchObject(silent);
  });

  it('says when Temporal is away', async () => {
    const away = new CrawlClient({ client: { address: '127.0.0.1:1' }, answerTimeoutMs: 500 });
    await expect(away.get('any').progress()).rejects.toMatchObject({
      code: 'CONFIG_SERVER_UNAVAILABLE',
    });
    await away.close();
  });
});
