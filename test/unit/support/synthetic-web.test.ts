import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive, spawnCli, waitFor } from '../../support/chaos.js';
import { computeManifest } from '../../support/synthetic-web/manifest.js';
import { buildModel } from '../../support/synthetic-web/model.js';
import { FEATURES, resolveWebOptions } from '../../support/synthetic-web/options.js';
import { pageIdentity } from '../../support/synthetic-web/page-identity.js';
import { coverage, repeats, robotsBreaches, strays } from '../../support/synthetic-web/judge.js';
import { startSyntheticWeb } from '../../support/synthetic-web/start.js';
import type { SyntheticWeb } from '../../support/synthetic-web/start.js';
import { ask, crawlPlainly } from './browse.js';
import type { Found } from './browse.js';

const identities = (urls: readonly string[]): string[] => urls.map(pageIdentity).sort();

describe('synthetic web, generated', () => {
  it('is the same for the same seed and another for another', () => {
    const of = (seed: number) =>
      JSON.stringify(computeManifest(buildModel(resolveWebOptions({ seed }))));
    expect(of(7)).toBe(of(7));
    expect(of(7)).not.toBe(of(8));
  });

  it('reaches 40 hosts of 50 plain pages from one seed within 6 hops', () => {
    const options = resolveWebOptions({ hosts: 40, pagesPerHost: 50, features: 'none' });
    const manifest = computeManifest(buildModel(options));
    expect(manifest.pages).toHaveLength(40 * 50);
    expect(manifest.maxDepth).toBeLessThanOrEqual(6);
    expect([...manifest.redirects, ...manifest.failures, ...manifest.disallowed]).toEqual([]);
  });

  it.each(FEATURES)('holds together without %s', (feature) => {
    const options = resolveWebOptions({ hosts: 10, features: { [feature]: false } });
    expect(computeManifest(buildModel(options)).pages.length).toBeGreaterThanOrEqual(200);
  });

  it.each([
    [{ hosts: 0 }, 'hosts: 0 is not a whole number from 1 to 5000'],
    [{ latencyMs: { min: 5, max: 1 } }, 'latencyMs: 5-1 is not a range'],
    [{ features: { cookie: true } as object }, 'features: unknown "cookie"; known are'],
    [{ domain: 'Test' }, 'domain: "Test" is not a lower-case host name'],
  ])('refuses %j by name', (options, message) => {
    expect(() => resolveWebOptions(options)).toThrow(message);
  });
});

describe('synthetic web, crawled by a plain crawler', () => {
  let web: SyntheticWeb;
  let found: Found;
  beforeAll(async () => {
    web = await startSyntheticWeb({ hosts: 12, pagesPerHost: 12, agentToken: 'plainbot' });
    found = await crawlPlainly(web, 'plainbot/1.0');
  }, 60_000);
  afterAll(async () => {
    await web.stop();
  });

  it('has exactly the pages of its manifest', () => {
    const { pages, noindex } = web.manifest;
    expect([...found.pages].sort()).toEqual(identities([...pages, ...noindex]));
    expect(coverage(found.pages, web.manifest)).toEqual({ missing: [], extra: [], doubled: [] });
  });

  it('has exactly the redirects, failures and files of its manifest', () => {
    const { redirects, failures, files } = web.manifest;
    expect([...found.redirects].sort()).toEqual(identities(redirects));
    expect([...found.failures].sort()).toEqual(identities(failures));
    expect([...found.files].sort()).toEqual(identities(files));
  });

  it('forbids exactly what its manifest calls disallowed', () => {
    expect([...found.forbidden].sort()).toEqual(identities(web.manifest.disallowed));
  });

  it('logs a clean record of an obedient crawl', async () => {
    const log = await web.log();
    expect(repeats(log)).toEqual(new Map());
    expect(robotsBreaches(log, web.manifest)).toEqual([]);
    expect(strays(log, web.manifest)).toEqual([]);
    // One a host, and one more where host 6 redirects it.
    expect(log.filter((request) => request.kind === 'robots')).toHaveLength(13);
    expect(log.filter((request) => request.endMs === null)).toEqual([]);
    expect(log.every((request) => request.userAgent === 'plainbot/1.0')).toBe(true);
  });

  it('keeps every kind of trouble in reach', () => {
    const { manifest } = web;
    const counts = [manifest.disallowed, manifest.unfollowed, manifest.noindex, manifest.failures];
    expect(counts.every((urls) => urls.length >= 12)).toBe(true);
    expect(manifest.pages).toContain('http://site-001.test/behind-flaky');
  });
});

describe('synthetic web, answering', () => {
  let web: SyntheticWeb;
  const busy = 'http://site-001.test/busy';
  const flaky = 'http://site-001.test/flaky';
  beforeAll(async () => {
    web = await startSyntheticWeb({ hosts: 3, pagesPerHost: 5, crawlDelayS: 2, flakyAnswers: 2 });
  });
  afterEach(async () => {
    await web.setFault('*', null);
    await web.setFault('site-000.test', null);
    await web.setLatency('*', null);
    await web.forgetCounts();
    await web.clearLog();
  });
  afterAll(async () => {
    await web.stop();
  });

  it('answers 503, 503, 200 at a flaky URL and 429 with Retry-After once at a busy one', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await ask(web.port, flaky)).status);
    expect(statuses).toEqual([503, 503, 200]);
    const first = await ask(web.port, busy);
    expect([first.status, first.headers['retry-after']]).toEqual([429, '1']);
    expect((await ask(web.port, busy)).status).toBe(200);
    const log = await web.log();
    expect(log.map((request) => request.retryAfterMs)).toEqual([1000, 1000, null, 1000, null]);
  });

  it('redirects to itself until it gets its cookie back', async () => {
    const url = 'http://site-000.test/with-cookie';
    const first = await ask(web.port, url);
    expect([first.status, first.headers.location]).toEqual([302, url]);
    expect((await ask(web.port, url, { cookie: 'visitor=yes' })).status).toBe(200);
  });

  it('answers 304 to the ETag that it gave', async () => {
    const first = await ask(web.port, web.seedUrl);
    const again = await ask(web.port, web.seedUrl, { 'if-none-match': String(first.headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('compresses for those who accept gzip only', async () => {
    const page = web.manifest.pages.find((url) => url.startsWith('http://site-000.test/news/'));
    const zipped = await ask(web.port, page ?? '', { 'accept-encoding': 'gzip, br' });
    const plain = await ask(web.port, page ?? '');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('states Crawl-delay in robots.txt and manifest alike', async () => {
    expect(web.manifest.crawlDelaysS).toEqual({ 'site-002.test': 2 });
    const robots = await ask(web.port, 'http://site-002.test/robots.txt');
    expect(robots.body.toString()).toMatch(/^Crawl-delay: 2$/m);
  });

  it('resets connections of a host that is down, and of no other', async () => {
    await web.setFault('site-000.test', { kind: 'reset' });
    await expect(ask(web.port, web.seedUrl)).rejects.toThrow(/ECONNRESET|hang up/);
    expect((await ask(web.port, 'http://site-001.test/')).status).toBe(200);
    await web.setFault('site-000.test', null);
    expect((await ask(web.port, web.seedUrl)).status).toBe(200);
    const log = await web.log();
    expect(log.map(({ status, aborted }) => [status, aborted])).toEqual([
      [0, true],
      [200, false],
      [200, false],
    ]);
  });

  it('answers a status for a whole host when told to', async () => {
    await web.setFault('*', { kind: 'status', status: 503, retryAfterS: 9 });
    const reply = await ask(web.port, web.seedUrl);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '9']);
  });

  it('leaves a paused host unanswered until it is let go', async () => {
    await web.setFault('site-000.test', { kind: 'pause' });
    const reply = ask(web.port, web.seedUrl);
    const held = await waitFor(async () => (await web.log())[0], { what: 'the request arrives' });
    expect(held.endMs).toBeNull();
    await web.setFault('site-000.test', null);
    expect((await reply).status).toBe(200);
    expect((await web.log())[0]?.endMs).toBeGreaterThan(held.startMs);
  });

  it('notes that a client broke off, and when', async () => {
    await web.setFault('site-000.test', { kind: 'pause' });
    const breakOff = new AbortController();
    const reply = ask(web.port, web.seedUrl, {}, { signal: breakOff.signal });
    await waitFor(async () => (await web.log()).length > 0, { what: 'the request arrives' });
    breakOff.abort();
    await expect(reply).rejects.toThrow();
    const record = await waitFor(async () => (await web.log()).find((one) => one.aborted), {
      what: 'the server sees the client go',
    });
    expect(record.status).toBe(0);
    expect(record.endMs).toBeGreaterThan(record.startMs);
  });

  it('takes its time when told to', async () => {
    await web.setLatency('*', { min: 40, max: 40 });
    await ask(web.port, web.seedUrl);
    const [record] = await web.log();
    expect((record?.endMs ?? 0) - (record?.startMs ?? 0)).toBeGreaterThanOrEqual(39);
  });
});

describe('synthetic web, as a process', () => {
  it('ends when it is stopped', async () => {
    const web = await startSyntheticWeb({ hosts: 1, pagesPerHost: 1 });
    expect(isAlive(web.pid)).toBe(true);
    await web.stop();
    expect(isAlive(web.pid)).toBe(false);
  });

  it('ends with the process that started it, killed outright', async () => {
    const module = new URL('../../support/synthetic-web/start.ts', import.meta.url).href;
    const script = `
      const { startSyntheticWeb } = await import(${JSON.stringify(module)});
      console.log((await startSyntheticWeb({ hosts: 1, pagesPerHost: 1 })).pid);`;
    const flags = ['--import', 'tsx', '--input-type=module', '-e'];
    const parent = spawnCli([...flags, script], { command: [process.execPath] });
    const pid = await waitFor(() => Number(parent.output().stdout) || null, { what: 'it starts' });
    expect(isAlive(pid)).toBe(true);
    process.kill(parent.pid, 'SIGKILL');
    await waitFor(() => !isAlive(pid), { what: 'the web has ended too' });
  });
});
