/** Asks a synthetic web over HTTP, and crawls it in the plainest way: the manifest's second opinion. */
import { Agent, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { pageIdentity } from '../../support/synthetic-web/page-identity.js';
import type { SyntheticWeb } from '../../support/synthetic-web/start.js';

interface RobotsRules {
  isAllowed(url: string, userAgent: string): boolean | undefined;
  getSitemaps(): string[];
}
// Its types claim a default export that its CommonJS module does not have.
const robotsParser = createRequire(import.meta.url)('robots-parser') as (
  url: string,
  text: string,
) => RobotsRules;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Ask for a URL; the connection goes to the web's port, whatever the host. */
export async function ask(
  port: number,
  url: string,
  headers: Record<string, string> = {},
  { agent, signal }: { agent?: Agent; signal?: AbortSignal } = {},
): Promise<Reply> {
  const { hostname, pathname, search } = new URL(url);
  return await new Promise<Reply>((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path: pathname + search,
        headers: { host: hostname, ...headers },
        ...(agent ? { agent } : {}),
        ...(signal ? { signal } : {}),
      },
      (response) => {
        buffer(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          reject,
        );
      },
    );
    request.once('error', reject).end();
  });
}

/** What a plain crawl found, by identity. */
export interface Found {
  pages: Set<string>;
  redirects: Set<string>;
  failures: Set<string>;
  files: Set<string>;
  forbidden: Set<string>;
}

/** Crawl everything from the seed, one request at a time, with kept parsers for HTML and robots. */
export async function crawlPlainly(web: SyntheticWeb, userAgent: string): Promise<Found> {
  const agent = new Agent({ keepAlive: true });
  const found: Found = {
    pages: new Set(),
    redirects: new Set(),
    failures: new Set(),
    files: new Set(),
    forbidden: new Set(),
  };
  const robots = new Map<string, RobotsRules>();
  const seen = new Set<string>();
  const queue: string[] = [];
  const get = (url: string, cookie = ''): Promise<Reply> =>
    ask(web.port, url, { 'user-agent': userAgent, 'accept-encoding': 'gzip', cookie }, { agent });
  const add = (href: string, base: string): void => {
    if (!URL.canParse(href, base)) return;
    const url = new URL(href, base);
    if (url.protocol !== 'http:' || seen.has(pageIdentity(url.href))) return;
    seen.add(pageIdentity(url.href));
    queue.push(url.href);
  };
  const visit = async (url: string): Promise<void> => {
    const identity = pageIdentity(url);
    let reply = await get(url);
    while (reply.status === 503 || reply.status === 429) reply = await get(url);
    let at = url;
    if (reply.headers['set-cookie']) reply = await get(url, 'visitor=yes');
    if (reply.status >= 300 && reply.status < 400) {
      const target = new URL(String(reply.headers.location), url).href;
      found.redirects.add(identity);
      if (pageIdentity(target) !== identity) return add(target, url);
      at = target;
      reply = await get(target);
    }
    if (reply.status !== 200) return void found.failures.add(identity);
    if (!String(reply.headers['content-type']).startsWith('text/html')) {
      return void found.files.add(identity);
    }
    found.pages.add(identity);
    const body = reply.headers['content-encoding'] === 'gzip' ? gunzipSync(reply.body) : reply.body;
    for (const href of hrefsOf(body.toString(), at)) add(href, at);
  };

  add(web.seedUrl, web.seedUrl);
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const origin = new URL(url).origin;
    let rules = robots.get(origin);
    if (!rules) {
      let reply = await get(`${origin}/robots.txt`);
      if (reply.status === 301) reply = await get(String(reply.headers.location));
      rules = robotsParser(`${origin}/robots.txt`, reply.status === 200 ? String(reply.body) : '');
      robots.set(origin, rules);
      const sitemaps = rules.getSitemaps();
      for (const sitemap of sitemaps) {
        const answer = await get(sitemap);
        const xml = sitemap.endsWith('.gz') ? gunzipSync(answer.body) : answer.body;
        const locations = [...xml.toString().matchAll(/<loc>(.*?)<\/loc>/g)];
        for (const [, location] of locations) {
          const plain = (location ?? '').replaceAll('&amp;', '&');
          if (xml.includes('<sitemapindex')) sitemaps.push(plain);
          else add(plain, origin);
        }
      }
    }
    if (rules.isAllowed(url, userAgent) === false) found.forbidden.add(pageIdentity(url));
    else await visit(url);
  }
  agent.destroy();
  return found;
}

function hrefsOf(html: string, pageUrl: string): string[] {
  const hrefs: string[] = [];
  let base = pageUrl;
  let follow = true;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'base' && attributes.href) base = new URL(attributes.href, pageUrl).href;
      if (name === 'meta' && /nofollow/.test(attributes.content ?? '')) follow = false;
      const { href, rel } = attributes;
      if (name !== 'a' || href === undefined || /nofollow/.test(rel ?? '')) return;
      const address = href.trim();
      if (URL.canParse(address, base)) hrefs.push(new URL(address, base).href);
    },
  });
  parser.end(html);
  return follow ? hrefs : [];
}
