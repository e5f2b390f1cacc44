/**
 * Take the README's pictures of Temporal's web UI: a crawl of a synthetic web by the built command
 * line, through Chromium.
 *
 *     npm run build && npx tsx scripts/screenshot-web-ui.ts
 *
 * Reduce them to a palette before they are committed (pngquant): a third of the size.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingBrowser, openBrowser } from '../test/support/web-ui/browser.js';
import { startShownCrawl } from '../test/support/web-ui/shown-crawl.js';
import {
  currentDetails,
  hostUrl,
  openTab,
  timelineRows,
} from '../test/support/web-ui/workflow-pages.js';

const IMAGES = fileURLToPath(new URL('../docs/images', import.meta.url));
const CRAWL_ID = 'demo';
const HOST = 'site-000.test';
/** The picture has room for some more, which are fetched while the browser gets ready. */
const PAGES = 8;

const missing = missingBrowser();
if (missing !== null) throw new Error(missing);
mkdirSync(IMAGES, { recursive: true });

const crawl = await startShownCrawl({
  crawlId: CRAWL_ID,
  hosts: 3,
  pagesPerHost: 60,
  delayMs: 1500,
});
// A window larger than the picture, scaled down, has room for a dozen pages.
const browser = await openBrowser({ width: 1540, height: 1100, scale: 0.9 });
const { page } = browser;
try {
  await crawl.pagesAsked(HOST, PAGES);
  await page.goto(hostUrl(crawl.link, CRAWL_ID, HOST));
  await timelineRows(page, `fetchPages • http://${HOST}/`)
    .nth(PAGES - 2)
    .waitFor();
  await page.getByTitle('Fold line', { exact: true }).first().click();
  await page.screenshot({ path: join(IMAGES, 'web-ui-host.png') });

  await openTab(page, 'user-metadata');
  await currentDetails(page)
    .getByText(/^not before: /)
    .waitFor();
  await page.screenshot({
    path: join(IMAGES, 'web-ui-details.png'),
    clip: { x: 0, y: 0, width: 1540, height: 760 },
  });
} finally {
  await browser.close();
  await crawl.dispose();
}
