import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { startRig, type Rig } from './rig.js';
import { newDomain } from './web.js';

describe('how a crawl begins and ends', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  it.concurrent('seeds that are added as the crawl ends are crawled', async () => {
    const domain = newDomain();
    const seeds = Array.from({ length: 12 }, (_unused, n) => `http://h${n}.${domain}/`);
    for (const seed of seeds) rig.web.host(new URL(seed).hostname, { '/': 'x' });
    const crawl = await rig.crawl({ seeds: [seeds[0]!] });
    let accepted = 1;
    for (const seed of seeds.slice(1)) {
      // Each comes when nothing is outstanding, at whatever point of its ending the parent is.
      await waitFor(async () => (await crawl.frontier.status()).totals.outstanding === 0, {
        what: 'nothing is outstanding',
        everyMs: 1,
      });
      try {
        await crawl.handle.executeUpdate('addSeeds', { args: [{ seeds: [seed] }] });
        accepted += 1;
      } catch {
        break; // The crawl was over: refused aloud.
      }
    }
    const result = await crawl.result();
    expect(accepted).toBeGreaterThan(1);
    expect(result).toMatchObject({ state: 'finished', totals: { outstanding: 0 } });
    expect(result.totals.fetched).toBeGreaterThanOrEqual(accepted);
    expect((await crawl.frontier.status()).state).toBe('finished');
  });

  it.concurrent('a crawl that none of its seeds can start fails and names each', async () => {
    const crawl = await rig.crawl({ seeds: ['ftp://x.test/', 'nonsense'] });
    await expect(crawl.result()).rejects.toMatchObject({
      cause: {
        cause: { type: 'CONFIG_INVALID_OPTION', message: /none of 2.*ftp:.*nonsense/ },
      } as object,
    });
    const wrong = await rig.crawl({ seeds: ['http://x.test/'], options: { delay: 3 } });
    await expect(wrong.result()).rejects.toMatchObject({
      cause: { cause: { type: 'CONFIG_UNKNOWN_OPTION' } },
    });
  });
});
