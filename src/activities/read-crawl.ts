/** What a client reads of a crawl through a worker: its progress, or a page of a list. */
import type { ReadReply, ReadRequest } from '../contracts/activities.js';
import type { CrawlProgress } from '../contracts/crawl.js';
import type { CrawlStatus, Frontier } from '../contracts/frontier.js';
import { fittingPage } from './bounded-replies.js';

/** A page may be shorter than it was asked for, where its URLs are long; an empty one is the last. */
export async function readCrawl(frontier: Frontier, request: ReadRequest): Promise<ReadReply> {
  switch (request.kind) {
    case 'progress':
      return { kind: 'progress', progress: progressOf(await frontier.status()) };
    case 'hosts': {
      const read = (limit: number) => frontier.hosts({ after: '', ...request, limit });
      return { kind: 'hosts', hosts: await fittingPage(request.limit, read) };
    }
    case 'deadLetters': {
      const read = (limit: number) => frontier.deadLetters({ ...request, limit });
      return { kind: 'deadLetters', letters: await fittingPage(request.limit, read) };
    }
    case 'heldUrls': {
      const read = (limit: number) => frontier.heldUrls({ ...request, limit });
      return { kind: 'heldUrls', ...(await fittingPage(request.limit, read)) };
    }
  }
}

/** Progress as the frontier knows it. */
export function progressOf(status: CrawlStatus): CrawlProgress {
  const { crawlId, state, finishReason, totals } = status;
  return { crawlId, state, finishReason, totals, hostsStarted: 0, refusedSeeds: [] };
}
