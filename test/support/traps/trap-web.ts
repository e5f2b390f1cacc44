/**
 * A web of real pages among endless traps: each host has real pages with a text of their own, some
 * of them far down or behind trap pages only, and one kind of trap that every page leads into. One
 * more host has real pages only, whose every link carries a random parameter.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  letters,
  TRAP_KINDS,
  wildcardPage,
  type TrapKind,
  type TrapName,
  type TrapPage,
} from './trap-kinds.js';

/** Real pages of each host with a trap. */
export const REAL_PER_HOST = 56;
/** Of them: in a list on the front page; one after another; found on trap pages only. */
const LISTED = 20;
const BEHIND_TRAP = 2;
/** Pages of the host whose every link has a new random parameter, each with a text of its own. */
export const VARIANT_PAGES = 120;
/** Pages of the gallery, all with the same text. */
export const GALLERY_PAGES = 600;

export interface TrapWeb {
  /** Option `mapHosts` that leads every name of this web here. */
  readonly mapHosts: readonly string[];
  readonly seedUrl: string;
  readonly gallerySeedUrl: string;
  /** Begins the addresses of the pages that have random parameters. */
  readonly variantPrefix: string;
  /** Addresses of all real pages. */
  readonly realUrls: readonly string[];
  /** Requests for pages of traps so far, by kind. */
  trapRequests(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

const KINDS = Object.entries(TRAP_KINDS) as [TrapName, TrapKind][];

/** @param domain a registered domain of the web's own; `wild-<domain>` answers for any host name */
export async function startTrapWeb(domain: string): Promise<TrapWeb> {
  const requests: Record<string, number> = {};
  const wild = `wild-${domain}`;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? domain}`);
    const kind = url.hostname.split('.')[0] as TrapName;
    if (url.pathname === '/robots.txt') send(response, 404, 'nothing');
    else if (url.hostname === domain) send(response, 200, frontPage(domain, wild));
    else if (url.hostname === `variants.${domain}`) send(response, 200, variantPage(url));
    else if (url.hostname === `gallery.${domain}`) send(response, 200, galleryPage(url));
    else if (url.hostname.endsWith(wild)) {
      count(requests, 'wildcard');
      send(response, 200, trapHtml(wildcardPage(url.hostname, wild), []));
    } else {
      const real = realPage(kind, url);
      const trap = real === null ? TRAP_KINDS[kind].page(url) : null;
      if (real !== null) send(response, 200, real);
      else if (trap === null) send(response, 404, 'nothing');
      else {
        const nth = count(requests, kind);
        send(response, 200, trapHtml(trap, behind(nth)));
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hosts = KINDS.map(([name]) => `${name}.${domain}`);
  return {
    mapHosts: [`*.test=127.0.0.1:${port}`],
    seedUrl: `http://${domain}/`,
    variantPrefix: `http://variants.${domain}/page/`,
    gallerySeedUrl: `http://gallery.${domain}/photo/1`,
    realUrls: hosts.flatMap((host) =>
      Array.from({ length: REAL_PER_HOST }, (_unused, n) => `http://${host}/real/${word(n)}`),
    ),
    trapRequests: () => ({ ...requests }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function count(counts: Record<string, number>, name: string): number {
  const next = (counts[name] ?? 0) + 1;
  counts[name] = next;
  return next;
}

/** A name without digits: real pages must not differ by numbers only. */
const word = (n: number): string =>
  [...String(n + 100)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(body);
}

const anchors = (links: readonly string[]): string =>
  links
    .map((link) => `<a href="${link.replaceAll('&', '&amp;')}">${link.split('/').at(-1)}</a>`)
    .join('\n');

const html = (title: string, text: string, links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><p>${text}</p>${anchors(links)}`;

const trapHtml = ({ text, links }: TrapPage, more: readonly string[]): string =>
  html('Page', text, [...links, ...more]);

/** The front page of all hosts. */
function frontPage(domain: string, wild: string): string {
  const hosts = [...KINDS.map(([name]) => `${name}.${domain}`), `www.${wild}`];
  return html('All hosts', 'Begin anywhere', [
    ...hosts.map((host) => `http://${host}/real/${word(0)}`),
    `http://variants.${domain}/page/${word(0)}`,
  ]);
}

/** Real page `n` of a host: says something of its own, and leads into the trap. */
function realPage(kind: TrapName, url: URL): string | null {
  const [, name] = /^\/real\/([a-j]+)$/.exec(url.pathname) ?? [];
  const numbers = Array.from({ length: REAL_PER_HOST }, (_unused, n) => n);
  const n = numbers.find((one) => word(one) === name);
  if (n === undefined) return null;
  const links: number[] = n === 0 ? numbers.slice(1, LISTED) : [];
  // The rest are a chain, up to those that only the trap leads to.
  if (n >= LISTED - 1 && n < REAL_PER_HOST - BEHIND_TRAP - 1) links.push(n + 1);
  const said = `${kind} ${word(n)} ${word(n * 7)} is what this page is about`;
  return html(`About ${word(n)}`, said, [
    ...links.map((to) => `/real/${word(to)}`),
    TRAP_KINDS[kind].entrance,
  ]);
}

/** Some of the first trap pages lead back to real ones. */
function behind(nth: number): string[] {
  if (nth % 2 === 0 || nth > BEHIND_TRAP * 2) return [];
  return [`/real/${word(REAL_PER_HOST - BEHIND_TRAP + (nth - 1) / 2)}`];
}

let variants = 0;

/** A page that says something of its own, under addresses without end. */
function variantPage(url: URL): string {
  const numbers = Array.from({ length: VARIANT_PAGES }, (_unused, one) => one);
  const n = numbers.find((one) => url.pathname === `/page/${word(one)}`) ?? 0;
  const links = [n + 1, n * 7 + 3].map((to) => {
    variants += 1;
    return `/page/${word(to % VARIANT_PAGES)}?r=${letters(`${url.href} ${variants}`)}`;
  });
  return html('A page', `What ${word(n)} says of ${word(n * 7)} and ${word(n * 3)}`, links);
}

function galleryPage(url: URL): string {
  const n = Number(/\d+$/.exec(url.pathname)?.[0] ?? 1);
  const next = n < GALLERY_PAGES ? [`/photo/${n + 1}`] : [];
  return html(`Photo ${n}`, `Photo ${n} of ${GALLERY_PAGES}<img src="/${n}.jpg">`, next);
}
