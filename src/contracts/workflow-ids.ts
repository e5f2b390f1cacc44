/** Ids and names that Temporal shows: one place for all who start, signal or look. */

/** Longest workflow id that every visibility store can hold. */
const MAX_ID_CHARS = 255;

/** Crawl ids are part of workflow ids, Redis keys and folder names, hence their narrow alphabet. */
export const CRAWL_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const CRAWL_WORKFLOW = 'crawlWorkflow';
export const HOST_WORKFLOW = 'hostWorkflow';
export const READ_WORKFLOW = 'readCrawlWorkflow';

/** Search attribute (Keyword) that every workflow of a crawl carries. */
export const CRAWL_ID_ATTRIBUTE = 'CrawlId';

export const crawlWorkflowId = (crawlId: string): string => `crawl/${crawlId}`;

/** The host's workflow id; a name that is too long is cut and told apart by a hash. */
export function hostWorkflowId(crawlId: string, hostKey: string): string {
  const id = `crawl/${crawlId}/host/${hostKey}`;
  if (id.length <= MAX_ID_CHARS) return id;
  return `${id.slice(0, MAX_ID_CHARS - 17)}~${fnv64(hostKey)}`;
}

/** FNV-1a, 64 bits, as 16 hex digits: pure, so that replayed code may call it. */
function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let n = 0; n < text.length; n += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(n))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
