/** One read of a crawl's frontier for clients that reach Temporal only. */
import type { ReadReply, ReadRequest } from '../contracts/activities.js';
import { frontierActivities } from './activity-proxies.js';
import { checkReadRequest } from './inputs.js';

export async function readCrawlWorkflow(request: ReadRequest): Promise<ReadReply> {
  checkReadRequest(request);
  return frontierActivities().readCrawl(request);
}
