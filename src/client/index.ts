/** The package's entry: `import { CrawlClient } from 'orbweaver'`. */
export { CrawlClient } from './crawl-client.js';
export { CrawlHandle } from './crawl-handle.js';
export type {
  AddedSeeds,
  CrawlClientOptions,
  CrawlView,
  CrawlWorkflowStatus,
  ListCrawlsOptions,
  ListedCrawl,
  ResumeCrawlOptions,
  StartCrawlOptions,
} from './client-types.js';
export type { CrawlAdjustments, CrawlOptions, Duration, Size } from '../config/options.js';
export type { CrawlInput, CrawlProgress, CrawlResult, RefusedSeed } from '../contracts/crawl.js';
export type {
  CrawlState,
  CrawlTotals,
  DeadLetter,
  FinishReason,
  HeldPage,
  HeldUrl,
  HostStateName,
  HostStatus,
} from '../contracts/frontier.js';
export { CrawlError, type ErrorCode } from '../errors.js';
