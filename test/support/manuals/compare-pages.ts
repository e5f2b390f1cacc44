/** Compares what two crawlers fetched from one server. */
import type { RequestRecord } from '../synthetic-web/request-log.js';

/** HTML pages that only one of two crawlers fetched. Sorted paths. */
export interface PageDifference {
  readonly onlyOurs: string[];
  readonly onlyWget: string[];
}

/** Paths (with query) of the HTML pages that a log shows as answered with 200. */
export function htmlPages(log: readonly RequestRecord[]): Set<string> {
  const pages = log.filter(({ kind, status }) => kind === 'page' && status === 200);
  return new Set(pages.map(({ path }) => samePath(path)));
}

/** Which pages did only one of them find? */
export function comparePages(
  oursLog: readonly RequestRecord[],
  wgetLog: readonly RequestRecord[],
): PageDifference {
  const ours = htmlPages(oursLog);
  const wget = htmlPages(wgetLog);
  return {
    onlyOurs: [...ours].filter((path) => !wget.has(path)).sort(),
    onlyWget: [...wget].filter((path) => !ours.has(path)).sort(),
  };
}

/** One spelling for all escapes of a path: `%7E` is `~`, `%c3` is `%C3`. Reserved ones stay. */
function samePath(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
  });
}
