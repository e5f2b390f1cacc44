/** An activity of one's own: what to do with a crawl that is over. */
import type { CrawlResult } from 'orbweaver';

/** Tell somebody; here the log. */
export async function report(result: CrawlResult): Promise<string> {
  const { crawlId, finishReason, totals } = result;
  const line = `${crawlId} is over (${finishReason}): ${totals.fetched} pages, ${totals.failed} failed`;
  console.log(line);
  return line;
}
