/**
 * Makes the histories that replay.test.ts replays: `RECORD_HISTORIES=v2 npx vitest run --project
 * integration test/replay/record-histories.ts` after a change of the workflows, kept beside the old ones.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { captureHistory } from '../../scripts/capture-history.js';
import { runsOf } from '../integration/workflows/histories.js';
import { startRig, type Crawl, type Rig } from '../integration/workflows/rig.js';
import { newDomain } from '../integration/workflows/web.js';
import { waitFor } from '../support/chaos.js';

/** vitest.config.ts takes this file in only where the variable is set. */
const version = process.env['RECORD_HISTORIES'];

describe('histories for replay', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.close());

  const keep = async (name: string, workflowId: string, runId?: string) => {
    const path = new URL(`./histories/${name}-${version}.json`, import.meta.url);
    const file = fileURLToPath(path);
    await captureHistory(rig.client, { workflowId, file, ...(runId && { runId }) });
  };
  /** Both workflows of a crawl that has ended. */
  const keepBoth = async (scenario: string, crawl: Crawl, hostKey: string) => {
    await crawl
      .host(hostKey)
      .result()
      .catch(() => undefined);
    await keep(`crawl-${scenario}`, crawl.handle.workflowId);
    await keep(`host-${scenario}`, crawl.host(hostKey).workflowId);
  };

  it('plain: durable timers between requests, a second host', async () => {
    const domain = newDomain();
    rig.web.host(`b.${domain}`, { '/': 'b' });
    const url = rig.web.host(domain, { '/': ['/x', `http://b.${domain}/`], '/x': 'x' });
    const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 1000 } });
    await crawl.result();
    await keepBoth('plain', crawl, domain);
  });

  it('continued: a run in the middle of each chain', async () => {
    const domain = newDomain();
    const pages = Object.fromEntries(Array.from({ length: 30 }, (_u, n) => [`/p${n}`, 'p']));
    const url = rig.web.host(domain, { '/': Object.keys(pages), ...pages });
    const crawl = await rig.crawl({
      seeds: [url],
      options: { turn: { maxPages: 2 } },
      tuning: { maxHistoryEvents: 15 },
    });
    for (let n = 0; n < 3; n += 1) {
      await crawl.handle.executeUpdate('addSeeds', { args: [{ seeds: [`${url}p${n}`] }] });
      await crawl.command({ kind: 'adjust', options: { retries: n } });
    }
    await crawl.result();
    for (const [name, workflowId] of [
      ['crawl-continued', crawl.handle.workflowId],
      ['host-continued', crawl.host(domain).workflowId],
    ] as const) {
      const runs = await waitFor(
        async () => {
          const found = await runsOf(rig.client, workflowId);
          return found.length >= 3 ? found : null;
        },
        { what: `three runs of ${workflowId}` },
      );
      await keep(name, workflowId, runs[1]);
    }
  });

  it('paused: pause, refused command, unpause', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/': ['/x', '/y'], '/x': 'x', '/y': 'y' });
    const crawl = await rig.crawl({ seeds: [url], options: { delayMs: 1000 } });
    await waitFor(() => rig.web.requests(domain).length > 0, { what: 'it fetches' });
    await crawl.command({ kind: 'pause' });
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'paused', {
      what: 'the host is paused',
    });
    await crawl.command({ kind: 'adjust', options: { delayMs: 'soon' } }).catch(() => undefined);
    await crawl.handle.signal('command', { kind: 'unpause' });
    await crawl.result();
    await keepBoth('paused', crawl, domain);
  });

  it('blocked: a host out of reach, given up', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/robots.txt': 'RESET' });
    const crawl = await rig.crawl({ seeds: [url], options: { hostPatience: '1s' } });
    await crawl.result();
    await keepBoth('blocked', crawl, domain);
  });

  it('cancelled: in a long wait', async () => {
    const domain = newDomain();
    const url = rig.web.host(domain, { '/robots.txt': { status: 500 } });
    const crawl = await rig.crawl({ seeds: [url] });
    await waitFor(async () => (await crawl.hostProgress(domain)).state === 'waiting', {
      what: 'the host waits',
    });
    await crawl.handle.cancel();
    await crawl.result().catch(() => undefined);
    await keepBoth('cancelled', crawl, domain);
  });

  it('stopped: while a page is under way', async () => {
    const domain = newDomain();
    let answer = (_page: readonly string[]): void => {};
    const held = new Promise<readonly string[]>((resolve) => (answer = resolve));
    const url = rig.web.host(domain, { '/': () => held });
    const crawl = await rig.crawl({ seeds: [url] });
    await waitFor(() => rig.web.requests(domain).length === 2, { what: 'the page is asked for' });
    await crawl.command({ kind: 'stop' });
    answer(['/x']);
    await crawl.result();
    await keepBoth('stopped', crawl, domain);
  });
});
