/** Real sites that nobody here wrote: HTML manuals of Debian packages, beside GNU wget. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageRecord } from '../../src/contracts/urls.js';
import { exportByCli, startCli, summaryOf, type CliSummary } from '../support/e2e/cli.js';
import { comparePages, htmlPages } from '../support/manuals/compare-pages.js';
import { findManuals, missingManuals } from '../support/manuals/find-manuals.js';
import { startStaticServer } from '../support/manuals/start.js';
import { hasWget, WGET_USER_AGENT, wgetMirrorLog } from '../support/manuals/wget-mirror.js';
import type { RequestRecord } from '../support/synthetic-web/request-log.js';

const dir = mkdtempSync(join(tmpdir(), 'orbweaver-manuals-'));
const wgetIsHere = await hasWget();
const missing = missingManuals();

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

if (!wgetIsHere) it.skip('crawls of manuals beside wget: GNU wget is not installed', () => {});
if (missing !== null) it.skip(`crawls of all manuals: ${missing}`, () => {});

describe.each(wgetIsHere ? findManuals() : [])(
  'F1, F7: the $name manual, from its start page with one command',
  ({ name, root, start, onlyOurs }) => {
    let ours: RequestRecord[];
    let wget: RequestRecord[];
    let summary: CliSummary;
    let records: PageRecord[];

    beforeAll(async () => {
      const server = await startStaticServer(root);
      const flags = ['--allow-private', '--delay', '0', '--scope', 'host', '--json'];
      const seed = `${server.origin}${start}`;
      // Servers and output go to .orbweaver and out of this folder.
      const cli = startCli(['crawl', seed, '--crawl-id', name, ...flags], dir);
      try {
        // The same server for both, at the same time; the log tells them apart.
        [{ log: wget }, summary] = await Promise.all([
          wgetMirrorLog(server, start),
          summaryOf(cli),
        ]);
        ours = (await server.log()).filter(({ userAgent }) => userAgent !== WGET_USER_AGENT);
      } finally {
        cli.kill();
        await server.stop();
      }
      records = await exportByCli(name, dir);
    }, 120_000);

    /** Path and query of each exported page of a type, as the request for it had them. */
    const exported = (contentType: string) =>
      records
        .filter((record) => record.contentType === contentType)
        .map(({ finalUrl }) => finalUrl.replace(/^https?:\/\/[^/]+/, ''))
        .sort();

    it('ends by itself with every discovered URL accounted for', () => {
      const { discovered, fetched, redirected, failed, skipped, queued } = summary;
      expect(summary).toMatchObject({ state: 'finished', finishReason: 'completed', hosts: 1 });
      expect({ queued, discovered }).toEqual({
        queued: 0,
        discovered: fetched + redirected + failed + skipped,
      });
    });

    it('is fetched to the same pages as by wget --recursive, save those explained', () => {
      expect(htmlPages(wget).size).toBeGreaterThan(200);
      expect(comparePages(ours, wget)).toEqual({
        onlyOurs: Object.keys(onlyOurs).sort(),
        onlyWget: [],
      });
    });

    it('is exported as the server gave it, every page once', () => {
      expect(exported('text/html')).toEqual([...htmlPages(ours)].sort());
      expect(records).toHaveLength(summary.fetched);
    });

    it('is asked for no address twice', () => {
      const paths = ours.map(({ path }) => path);
      expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
    });
  },
);
