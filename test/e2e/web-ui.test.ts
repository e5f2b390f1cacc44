/** What a person sees of a running crawl in Temporal's web UI, through a real browser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostProgress } from '../../src/contracts/host.js';
import { missingBrowser, openBrowser, type WebUiBrowser } from '../support/web-ui/browser.js';
import { startShownCrawl, type ShownCrawl } from '../support/web-ui/shown-crawl.js';
import {
  crawlListUrl,
  currentDetails,
  hostUrl,
  openTab,
  timelineRows,
} from '../support/web-ui/workflow-pages.js';

const CRAWL_ID = 'web-ui';
const HOSTS = ['site-000.test', 'site-001.test', 'site-002.test'];
const [BUSY = '', SICK = ''] = HOSTS;
const URL_OF_BUSY = `http://${BUSY}/`;

const noBrowser = missingBrowser();
if (noBrowser !== null) it.skip(`crawls in the web UI: ${noBrowser}`, () => {});

describe.skipIf(noBrowser !== null)('C6: a running crawl in the web UI', () => {
  let crawl: ShownCrawl;
  let browser: WebUiBrowser;

  beforeAll(async () => {
    // Pages for minutes: the crawl runs as long as it is looked at.
    crawl = await startShownCrawl({
      crawlId: CRAWL_ID,
      hosts: HOSTS.length,
      pagesPerHost: 200,
      delayMs: 1000,
      faults: { [SICK]: { kind: 'status', status: 503, retryAfterS: 600 } },
    });
    browser = await openBrowser();
    await crawl.pagesAsked(BUSY, 4);
  });

  afterAll(async () => {
    await browser?.close();
    await crawl?.dispose();
  });

  /** Wait until the page of this workflow is shown. */
  const isShown = (workflowId: string) =>
    browser.page.getByRole('heading').getByText(workflowId, { exact: true }).waitFor();

  it('is what the link opens that the command line prints', async () => {
    expect(crawl.link).toMatch(/\/workflows\/crawl%2Fweb-ui$/);
    await browser.page.goto(crawl.link);
    await isShown(`crawl/${CRAWL_ID}`);
    for (const host of HOSTS) await timelineRows(browser.page, host).first().waitFor();
  });

  it('is listed with its hosts under its CrawlId', async () => {
    await browser.page.goto(crawlListUrl(crawl.link, CRAWL_ID));
    const rows = browser.page.getByRole('row').filter({ hasText: 'Running' });
    for (const host of HOSTS) {
      await rows
        .getByRole('link', { name: `crawl/${CRAWL_ID}/host/${host}`, exact: true })
        .waitFor();
    }
    await rows.getByRole('link', { name: `crawl/${CRAWL_ID}`, exact: true }).waitFor();
    expect(await rows.count()).toBe(HOSTS.length + 1);
  });

  it("shows a host's fetches and waits in its timeline, each with its URL", async () => {
    await browser.page.goto(hostUrl(crawl.link, CRAWL_ID, BUSY));
    await isShown(`crawl/${CRAWL_ID}/host/${BUSY}`);
    const fetches = timelineRows(browser.page, `fetchPages • ${URL_OF_BUSY}`);
    const waits = timelineRows(browser.page, `crawl delay, next ${URL_OF_BUSY}`);
    await fetches.nth(2).waitFor();
    await waits.nth(2).waitFor();

    const asked = (await crawl.web.log()).filter(({ host }) => host === BUSY);
    const urls = asked.map(({ path }) => `http://${BUSY}${path}`);
    const shown = await fetches.allInnerTexts();
    expect(urls).toEqual(expect.arrayContaining(shown.map((text) => text.split(' • ')[1])));
  });

  it('says of a host what it did, does next, and why not yet', async () => {
    await browser.page.goto(hostUrl(crawl.link, CRAWL_ID, BUSY));
    await openTab(browser.page, 'user-metadata');
    const details = currentDetails(browser.page);
    await details.getByText(new RegExp(`^${BUSY} is (waiting: crawl delay|active)$`)).waitFor();
    await details.getByText(/^so far: \d+ fetched, .* \d+ retried$/).waitFor();
    await details.getByText(new RegExp(`^last: ${URL_OF_BUSY}\\S* fetched$`)).waitFor();
    await details.getByText(new RegExp(`^next: ${URL_OF_BUSY}\\S+$`)).waitFor();
  });

  it('says of a host in trouble what the trouble is and when it goes on', async () => {
    await browser.page.goto(hostUrl(crawl.link, CRAWL_ID, SICK));
    await timelineRows(browser.page, 'robots.txt: HTTP 503').first().waitFor();
    await openTab(browser.page, 'user-metadata');
    const details = currentDetails(browser.page);
    await details.getByText(`${SICK} is waiting: robots.txt: HTTP 503`).waitFor();
    const notBefore = await details.getByText(/^not before: /).innerText();
    const waitMs = Date.parse(notBefore.replace('not before: ', '')) - Date.now();
    expect(waitMs).toBeGreaterThan(400_000);
    expect(waitMs).toBeLessThanOrEqual(600_000);
  });

  it('answers the query "progress" of a host', async () => {
    await browser.page.goto(hostUrl(crawl.link, CRAWL_ID, BUSY));
    await openTab(browser.page, 'queries');
    const { page } = browser;
    await page
      .getByRole('option', { name: /progress.*why not yet/, includeHidden: true })
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Run Query' }).click();
    const answer = page.locator('.cm-content').filter({ hasText: '"hostKey"' });
    const progress = JSON.parse(await answer.innerText()) as HostProgress;
    expect(progress.hostKey).toBe(BUSY);
    expect(progress.fetched).toBeGreaterThanOrEqual(3);
    expect(progress.lastUrl).toContain(URL_OF_BUSY);
  });
});
