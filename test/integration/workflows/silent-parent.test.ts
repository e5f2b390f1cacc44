import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { detailsOf } from './histories.js';
import { startRig, type Rig } from './rig.js';
import { newDomain } from './web.js';

describe('a parent that is silent for too long', () => {
  let rig: Rig;
  beforeAll(async () => {
    // A second instead of fifteen minutes.
    rig = await startRig({ frontierTimes: { parentSilentMs: 1000 } });
  });
  afterAll(() => rig.close());

  it('makes its hosts park with their work; resume goes on where they stopped', async () => {
    const domain = newDomain();
    const pages = Object.fromEntries(Array.from({ length: 40 }, (_u, n) => [`/p${n}`, 'p']));
    const url = rig.web.host(domain, { '/': Object.keys(pages), ...pages });
    const options = { delayMs: 200, delayFactor: 0, turn: { maxPages: 3 } };
    const crawl = await rig.crawl({ seeds: [url], options });
    await waitFor(() => rig.web.requests(domain).length > 3, { what: 'it fetches' });
    await crawl.handle.terminate();
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'paused', {
      what: 'the host has parked',
    });
    expect(await detailsOf(crawl.host(domain))).toContain('is **paused**: parentSilent');
    const before = rig.web.requests(domain).length;
    expect(before).toBeLessThan(42);
    expect((await crawl.frontier.status()).totals).toMatchObject({ leased: 0, pendingHosts: 1 });

    const resumed = await crawl.resume();
    const result = await resumed.result();
    expect(result.totals).toMatchObject({ fetched: 41, outstanding: 0, failed: 0 });
    // The run that had parked went on; nothing was fetched twice.
    expect(result.hostsStarted).toBe(0);
    expect(rig.web.requests(domain).length).toBe(42);
  });
});
