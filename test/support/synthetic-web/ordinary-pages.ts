/** The pages that every host has: a tree from the root, some cross-links, links to other hosts. */
import { hostName, words } from './host-builder.js';
import type { HostBuilder } from './host-builder.js';

/** Children of a page in its host's tree: 50 pages lie within 3 hops of the root. */
const PAGE_BRANCHING = 5;
/** Children of a host in the tree of hosts: 40 hosts lie within 2 hops of the first, 500 within 3. */
const HOST_BRANCHING = 8;
const SECTIONS = ['guide', 'news/archive', 'shop', 'people/profiles/public'];
const NON_WEB_HREFS = ['mailto:post@example.org', 'javascript:void(0)', 'data:text/plain,hello'];
const BIG_PAGE_BYTES = 1_500_000;

/** Add the ordinary pages of a host and all their links. */
export function addOrdinaryPages(host: HostBuilder): void {
  const { pagesPerHost, features } = host.options;
  for (let i = 0; i < pagesPerHost; i += 1) {
    const path = ordinaryPath(host, i);
    host.ordinary.push(path);
    host.page(path, {
      gzip: features.gzip && i % 3 === 1,
      ...(features.bigPage && i === 1 && host.every(10, 0) ? { padToBytes: BIG_PAGE_BYTES } : {}),
      ...(features.linkForms && i % 11 === 7 ? { baseHref: '/deep/er/place/' } : {}),
      ...(features.phantoms && i % 4 === 2 ? { phantomMarkup: phantomMarkup(i) } : {}),
    });
  }
  host.ordinary.forEach((path, i) => linkWithinHost(host, path, i));
  linkToHosts(host);
  if (features.linkForms) addAwkwardLinks(host);
}

function ordinaryPath(host: HostBuilder, i: number): string {
  if (i === 0) return '/';
  if (i % 7 === 6) return `/list?page=${i}&sort=name`;
  const section = SECTIONS[i % SECTIONS.length] as string;
  const slug = words(host.random, 2).replaceAll(' ', '-');
  return `/${section}/${slug}-${i}${i % 3 === 0 ? '.html' : ''}`;
}

function linkWithinHost(host: HostBuilder, path: string, i: number): void {
  const { ordinary, random } = host;
  const children = ordinary.slice(i * PAGE_BRANCHING + 1, (i + 1) * PAGE_BRANCHING + 1);
  const others = Array.from({ length: 3 }, () => random.pick(ordinary));
  const next = ordinary[i + 1] ?? '/';
  for (const target of new Set(['/', ...children, next, ...others])) {
    host.link(path, host.url(target));
  }
}

function linkToHosts(host: HostBuilder): void {
  const { options, index, random, ordinary } = host;
  const from = index * HOST_BRANCHING + 1;
  for (let child = from; child < from + HOST_BRANCHING && child < options.hosts; child += 1) {
    host.link('/', `http://${hostName(options, child)}/`);
  }
  for (const path of ordinary) {
    // The root of another host: its other paths are that host's own affair.
    const other = random.int(options.hosts);
    if (other !== index) host.link(path, `http://${hostName(options, other)}/`);
  }
}

function addAwkwardLinks(host: HostBuilder): void {
  const root = host.pageAt('/');
  for (const href of NON_WEB_HREFS) {
    root.links.push({ href, text: words(host.random, 1), target: null, nofollow: false });
  }
  host.page('/caf%C3%A9');
  host.link('/', host.url('/caf%C3%A9'), { href: '/café' });
  host.link('/', host.url('/caf%C3%A9'), { href: 'caf%C3%A9#menu' });
  host.link('/', host.url('/'), { href: '' });
  host.link('/', host.url('/'), { href: '#top' });
}

function phantomMarkup(i: number): string {
  return [
    `<!-- moved: <a href="/phantom/comment-${i}">old</a> -->`,
    `<script>var menu = '<a href="/phantom/script-${i}">menu</a>';</script>`,
    `<textarea><a href="/phantom/textarea-${i}">sample</a></textarea>`,
  ].join('\n');
}
