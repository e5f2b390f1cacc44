/** Rules of the canonical form about the path. */

/** File names that servers are set up to send for a folder, with the endings of the usual systems. */
const INDEX_PAGE =
  /\/(?:index|default)\.(?:[psx]?html?|php[3-8]?|phtml|aspx?|jsp[ax]?|jsf|cfm|cgi|pl)$/i;

/** `/docs/index.html` is `/docs/`, in any case of letters. */
export function dropIndexPage(path: string): string {
  return path.replace(INDEX_PAGE, '/');
}

/**
 * `/docs/` is `/docs`; the root and a path that ends in an empty segment (`/a//`) stay.
 *
 * @param keepIndexFolder leave `/index.html/` alone: a folder of that name is no index page, and
 *   would become one
 */
export function dropTrailingSlash(path: string, keepIndexFolder = false): string {
  if (path.length < 2 || !path.endsWith('/') || path.endsWith('//')) return path;
  const shorter = path.slice(0, -1);
  return keepIndexFolder && INDEX_PAGE.test(shorter) ? path : shorter;
}
