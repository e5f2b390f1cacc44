/**
 * The typed client: starts crawls, finds them, and hands out handles. It needs Temporal alone; what
 * lives in Redis it reads through the workers.
 */
import { Client, Connection } from '@temporalio/client';
import { newCrawlId, parseCrawlId } from '../config/crawl-id.js';
import { resolveCrawlOptions } from '../config/resolve.js';
import { DEFAULT_TASK_QUEUE } from '../contracts/task-queues.js';
import { ConfigError, CrawlError } from '../errors.js';
import { describeParent, readCrawl, type Reach } from './answers.js';
import type {
  CrawlClientOptions,
  ListCrawlsOptions,
  ListedCrawl,
  StartCrawlOptions,
} from './client-types.js';
import { CrawlHandle } from './crawl-handle.js';
import { listCrawls } from './list-crawls.js';
import { seedChunks } from './seed-chunks.js';
import { crawlExists, startCrawlWorkflow } from './start-workflow.js';

const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Client of a crawl engine.
 *
 * @example
 * const crawls = new CrawlClient({ client: new Client({ connection }) });
 * const crawl = await crawls.start({ seeds: ['https://example.com/'], maxPages: 50 });
 * const { totals } = await crawl.result();
 */
export class CrawlClient {
  private readonly reach: Reach;
  private readonly ownConnection: Connection | undefined;

  constructor(options: CrawlClientOptions = {}) {
    const { client, namespace, taskQueue, answerTimeoutMs } = options;
    let temporal: Client;
    if (client instanceof Client || isClient(client)) {
      if (namespace !== undefined && namespace !== client.options.namespace) {
        throw new ConfigError(
          'CONFIG_INVALID_OPTION',
          `namespace: "${namespace}" differs from that of the given client, ` +
            `"${client.options.namespace}"; leave it out or give a client of that namespace`,
          { details: { field: 'namespace' } },
        );
      }
      temporal = client;
    } else {
      this.ownConnection = Connection.lazy(client ?? {});
      temporal = new Client({
        connection: this.ownConnection,
        ...(namespace !== undefined && { namespace }),
      });
    }
    this.reach = {
      client: temporal,
      taskQueue: taskQueue ?? DEFAULT_TASK_QUEUE,
      answerTimeoutMs: answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    };
  }

  /**
   * Start a crawl. The options are checked here; a crawl id that exists already is refused. Seeds
   * beyond one message are added in pieces, for which a worker must be running.
   *
   * @throws CONFIG_INVALID_OPTION, CONFIG_UNKNOWN_OPTION, before anything is sent;
   *   FRONTIER_CRAWL_EXISTS; CONFIG_SERVER_UNAVAILABLE (retryable)
   */
  async start({ crawlId, seeds: given, ...options }: StartCrawlOptions): Promise<CrawlHandle> {
    const { seeds } = resolveCrawlOptions({ ...options, seeds: given });
    const id = crawlId === undefined ? newCrawlId(seeds[0]!, new Date()) : parseCrawlId(crawlId);
    await this.refuseExisting(id);
    const handle = new CrawlHandle(this.reach, id);
    let isStarted = false;
    for await (const chunk of seedChunks(seeds)) {
      const { seeds: some, hasMore } = chunk;
      if (isStarted) await handle.addChunk(chunk);
      else {
        const more = hasMore && { moreSeeds: true };
        await startCrawlWorkflow(this.reach, { crawlId: id, seeds: some, options, ...more });
      }
      isStarted = true;
    }
    return handle;
  }

  /**
   * A handle of a crawl; whether it exists is said by the first call that asks.
   *
   * @throws CONFIG_INVALID_OPTION for what can't be a crawl's id
   */
  get(crawlId: string): CrawlHandle {
    return new CrawlHandle(this.reach, parseCrawlId(crawlId));
  }

  /**
   * Crawls that Temporal still knows (a closed one for the namespace's retention): running ones
   * first, then by the time of their end, newest first. A crawl that was resumed comes once.
   */
  list(options: ListCrawlsOptions = {}): AsyncIterable<ListedCrawl> {
    return listCrawls(this.reach.client, options);
  }

  /** Close the connection, where this client opened it. */
  async close(): Promise<void> {
    await this.ownConnection?.close();
  }

  /**
   * A second start would hide the first one's result behind a failed run. Where Temporal knows a
   * closed run, the frontier is asked whether the crawl is still there.
   */
  private async refuseExisting(crawlId: string): Promise<void> {
    const parent = await describeParent(this.reach, crawlId);
    if (!parent) return;
    if (parent.status === 'RUNNING') throw crawlExists(crawlId);
    try {
      await readCrawl<'progress'>(this.reach, { kind: 'progress', crawlId });
    } catch (error) {
      if (error instanceof CrawlError && error.code === 'FRONTIER_CRAWL_NOT_FOUND') return;
      throw error;
    }
    throw crawlExists(crawlId);
  }
}

/** Also a `Client` of another copy of the package. */
function isClient(given: CrawlClientOptions['client']): given is Client {
  return given !== undefined && 'workflow' in given && 'workflowService' in given;
}
