/**
 * What a right crawl of a synthetic web does, worked out by walking the model. No line of it comes
 * from the crawler: the two can't share a mistake.
 */
import { splitUrl } from './link-forms.js';
import type { WebModel } from './model.js';
import type { HostModel, PageResource, Resource } from './resource.js';

/** The right answers. URLs are absolute, in canonical spelling, sorted. */
export interface SyntheticManifest {
  readonly seedUrl: string;
  readonly hosts: readonly string[];
  /** HTML pages that are reachable, allowed and answer 200 in the end: to be exported, once each. */
  readonly pages: readonly string[];
  /** As `pages`, but noindex: to be fetched; whether they are exported is the crawler's policy. */
  readonly noindex: readonly string[];
  /** Addresses that redirect, the trailing-slash ones included. */
  readonly redirects: readonly string[];
  /** Reachable addresses that end in 404, 410 or 500. */
  readonly failures: readonly string[];
  /** Linked files that are not HTML. */
  readonly files: readonly string[];
  /** Linked, but forbidden by robots.txt: never to be asked. */
  readonly disallowed: readonly string[];
  /** Known only through nofollow links: never to be asked. */
  readonly unfollowed: readonly string[];
  /** Seconds of Crawl-delay by host name, where one is asked for. */
  readonly crawlDelaysS: Readonly<Record<string, number>>;
  /** Hops from the seed to the farthest page; sitemaps count one. */
  readonly maxDepth: number;
}

/** Walk the model from its seed as an obedient crawler would. */
export function computeManifest(model: WebModel): SyntheticManifest {
  const found: Record<'pages' | 'noindex' | 'redirects' | 'failures' | 'files', Set<string>> = {
    pages: new Set(),
    noindex: new Set(),
    redirects: new Set(),
    failures: new Set(),
    files: new Set(),
  };
  const disallowed = new Set<string>();
  const nofollowed = new Set<string>();
  const visited = new Set<string>([model.seedUrl]);
  const touchedHosts = new Set<string>();
  let level = [model.seedUrl];
  let maxDepth = 0;

  for (let depth = 0; level.length > 0; depth += 1) {
    const next = new Set<string>();
    for (const url of level) {
      const { host, resource } = lookUp(model, url);
      if (!touchedHosts.has(host.name)) {
        touchedHosts.add(host.name);
        for (const entry of sitemapEntries(model, host)) next.add(entry);
      }
      const isForbidden = resource.type === 'page' && resource.disallowed === true;
      if (isForbidden) {
        disallowed.add(url);
        continue;
      }
      found[kindOf(resource)].add(url);
      if (resource.type === 'page') maxDepth = Math.max(maxDepth, depth);
      for (const target of onward(resource, nofollowed)) next.add(target);
    }
    level = [...next].filter((url) => !visited.has(url));
    for (const url of level) visited.add(url);
  }

  const delays = [...model.hosts.values()].filter((host) => host.crawlDelayS > 0);
  return {
    seedUrl: model.seedUrl,
    hosts: [...model.hosts.keys()],
    pages: sorted(found.pages),
    noindex: sorted(found.noindex),
    redirects: sorted(found.redirects),
    failures: sorted(found.failures),
    files: sorted(found.files),
    disallowed: sorted(disallowed),
    unfollowed: sorted([...nofollowed].filter((url) => !visited.has(url))),
    crawlDelaysS: Object.fromEntries(delays.map((host) => [host.name, host.crawlDelayS])),
    maxDepth,
  };
}

function lookUp(model: WebModel, url: string): { host: HostModel; resource: Resource } {
  const { host: name, path } = splitUrl(url);
  const host = model.hosts.get(name);
  const resource = host?.resources.get(path);
  if (!host || !resource) throw new Error(`the model links to ${url}, which it does not define`);
  return { host, resource };
}

function kindOf(resource: Resource): 'pages' | 'noindex' | 'redirects' | 'failures' | 'files' {
  switch (resource.type) {
    case 'page':
      return isNoindex(resource) ? 'noindex' : 'pages';
    case 'redirect':
      return 'redirects';
    case 'failure':
      return 'failures';
    case 'file':
      return 'files';
    case 'sitemap':
    case 'robots':
      throw new Error(`a page links to a ${resource.type}, which the manifest has no place for`);
  }
}

function isNoindex(page: PageResource): boolean {
  return `${page.robotsMeta ?? ''} ${page.robotsHeader ?? ''}`.includes('noindex');
}

/** Where a resource leads; links that say nofollow go to the other set. */
function onward(resource: Resource, nofollowed: Set<string>): string[] {
  if (resource.type === 'redirect') return [resource.target];
  if (resource.type !== 'page') return [];
  const pageSaysNofollow = (resource.robotsMeta ?? '').includes('nofollow');
  const targets: string[] = [];
  for (const link of resource.links) {
    if (link.target === null) continue;
    if (link.nofollow || pageSaysNofollow) nofollowed.add(link.target);
    else targets.push(link.target);
  }
  return targets;
}

/** Page URLs that a host's sitemaps name, through indexes too. */
function sitemapEntries(model: WebModel, host: HostModel): string[] {
  const pages: string[] = [];
  const pending = [...host.sitemaps];
  for (let url = pending.pop(); url !== undefined; url = pending.pop()) {
    const { resource } = lookUp(model, url);
    if (resource.type !== 'sitemap') throw new Error(`${url} is not a sitemap`);
    (resource.form === 'index' ? pending : pages).push(...resource.entries);
  }
  return pages;
}

function sorted(urls: Iterable<string>): string[] {
  return [...urls].sort();
}
