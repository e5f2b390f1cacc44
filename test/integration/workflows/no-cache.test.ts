import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/chaos.js';
import { eventsOf, failedTasks } from './histories.js';
import { startRig, type Rig } from './rig.js';
import { leastGapMs, newDomain } from './web.js';

/** Every workflow task replays its history from the start: what is not deterministic shows. */
describe('workflows that are never cached', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ maxCachedWorkflows: 0 });
  });
  afterAll(() => rig.close());

  it.concurrent(
    'crawl several hosts, continue as new, pause and go on without failing a task',
    async () => {
      const domain = newDomain();
      const names = ['a', 'b', 'c'].map((name) => `${name}.${domain}`);
      for (const [n, name] of names.entries()) {
        const pages = Object.fromEntries(Array.from({ length: 12 }, (_u, p) => [`/p${p}`, 'p']));
        const others = names.slice(n + 1).map((other) => `http://${other}/`);
        rig.web.host(name, { '/': [...others, ...Object.keys(pages)], ...pages });
      }
      const crawl = await rig.crawl({
        seeds: [`http://${names[0]}/`],
        options: { turn: { maxPages: 3 }, delayMs: 50, delayFactor: 0 },
        tuning: { maxHistoryEvents: 40 },
      });
      await crawl.command({ kind: 'pause' });
      expect(await crawl.command({ kind: 'unpause' })).toMatchObject({ state: 'running' });
      const result = await crawl.result();
      expect(result.totals).toMatchObject({ fetched: 39, failed: 0, outstanding: 0 });
      expect(rig.web.requests(domain).length).toBe(42);
      for (const handle of [crawl.handle, ...names.map((name) => crawl.host(name))]) {
        expect(failedTasks(await eventsOf(handle))).toEqual([]);
      }
    },
  );

  it.concurrent('wait in durable timers and are cancelled', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': ['/x'], '/x': 'x' });
    const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 1000 } });
    await waitFor(() => rig.web.requests(domain).length === 3, { what: 'three requests' });
    expect(leastGapMs(rig.web.requests(domain))).toBeGreaterThanOrEqual(1000);
    await crawl.handle.cancel();
    await expect(crawl.result()).rejects.toThrow(/cancel/i);
    await crawl
      .host(domain)
      .result()
      .catch(() => undefined);
    for (const handle of [crawl.handle, crawl.host(domain)]) {
      expect(failedTasks(await eventsOf(handle))).toEqual([]);
    }
  });
});
