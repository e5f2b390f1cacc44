/** Pages of what a crawl's frontier lists, read through a worker. */
import type { DeadLetter, HeldPage, HostStatus } from '../contracts/frontier.js';
import { describeParent, readCrawl, type Reach } from './answers.js';

/** Hosts, dead letters and held URLs of one read at most; a reply whose URLs are long has fewer. */
const HOSTS_PAGE = 500;
const LETTERS_PAGE = 100;
const HELD_PAGE = 100;

/** One page of hosts, in the order of their keys. */
export async function readHosts(
  reach: Reach,
  crawlId: string,
  page: { readonly after?: string; readonly limit?: number },
): Promise<readonly HostStatus[]> {
  const { after = '' } = page;
  const limit = bounded(page.limit, HOSTS_PAGE);
  const at = await reachOf(reach, crawlId);
  const { hosts } = await readCrawl<'hosts'>(at, { kind: 'hosts', crawlId, after, limit });
  if (hosts.length === 0 && after === '') await mustExist(at, crawlId);
  return hosts;
}

/** One page of dead letters, oldest first. */
export async function readDeadLetters(
  reach: Reach,
  crawlId: string,
  page: { readonly offset?: number; readonly limit?: number },
): Promise<readonly DeadLetter[]> {
  const { offset = 0 } = page;
  const limit = bounded(page.limit, LETTERS_PAGE);
  const at = await reachOf(reach, crawlId);
  const request = { kind: 'deadLetters', crawlId, offset, limit } as const;
  const { letters } = await readCrawl<'deadLetters'>(at, request);
  if (letters.length === 0 && offset === 0) await mustExist(at, crawlId);
  return letters;
}

/** Some of the URLs that are held back as crawl traps. */
export async function readHeldUrls(
  reach: Reach,
  crawlId: string,
  page: { readonly cursor?: string; readonly limit?: number },
): Promise<HeldPage> {
  const { cursor } = page;
  const limit = bounded(page.limit, HELD_PAGE);
  const at = await reachOf(reach, crawlId);
  const request = { kind: 'heldUrls', crawlId, limit, ...(cursor && { cursor }) } as const;
  const { urls, cursor: next } = await readCrawl<'heldUrls'>(at, request);
  if (urls.length === 0 && cursor === undefined) await mustExist(at, crawlId);
  return { urls, cursor: next };
}

/** By the queue on which the crawl was started, where Temporal still knows it. */
export async function reachOf(reach: Reach, crawlId: string): Promise<Reach> {
  const parent = await describeParent(reach, crawlId);
  return parent ? { ...reach, taskQueue: parent.taskQueue } : reach;
}

/** A list that is empty says nothing of whether there is such a crawl. */
async function mustExist(reach: Reach, crawlId: string): Promise<void> {
  await readCrawl<'progress'>(reach, { kind: 'progress', crawlId });
}

function bounded(limit: number | undefined, most: number): number {
  return Math.min(Math.max(Math.floor(limit ?? most), 1), most);
}
