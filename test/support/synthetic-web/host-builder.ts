/** Collects the resources of one virtual host while features add to it. */
import { LOCAL_FORMS, REMOTE_FORMS, writeHref } from './link-forms.js';
import type { LinkForm } from './link-forms.js';
import type { ResolvedWebOptions } from './options.js';
import { createRandom } from './random.js';
import type { Random } from './random.js';
import type { HostModel, PageResource, Resource } from './resource.js';

const WORDS =
  'amber harbour index ledger meadow notes orchard parcel quarry river signal timber valley willow anchor basalt copper delta ember field granite hollow island journal kiln lantern mill needle opal'.split(
    ' ',
  );

/** `count` words from the stream. */
export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
}

/** Name of the virtual host with this index. */
export function hostName(options: ResolvedWebOptions, index: number): string {
  return `site-${String(index).padStart(3, '0')}.${options.domain}`;
}

/** One host under construction. */
export class HostBuilder {
  readonly options: ResolvedWebOptions;
  readonly index: number;
  readonly name: string;
  readonly origin: string;
  readonly random: Random;
  readonly resources = new Map<string, Resource>();
  readonly sitemaps: string[] = [];
  crawlDelayS = 0;
  /** Paths of the ordinary pages; the first is the root. */
  readonly ordinary: string[] = [];

  constructor(options: ResolvedWebOptions, index: number) {
    this.options = options;
    this.index = index;
    this.name = hostName(options, index);
    this.origin = `http://${this.name}`;
    this.random = createRandom(`${options.seed}/${this.name}`);
  }

  /** Does this host show a feature that only every `period`-th host has? */
  every(period: number, offset: number): boolean {
    return this.index % period === offset % period;
  }

  /** Absolute URL of one of this host's paths. */
  url(path: string): string {
    return this.origin + path;
  }

  add(path: string, resource: Resource): void {
    if (this.resources.has(path)) throw new Error(`${this.name}: ${path} is defined twice`);
    this.resources.set(path, resource);
  }

  /** Add an HTML page without links. */
  page(path: string, extra: Partial<PageResource> = {}): void {
    const title = `${words(this.random, 3)} (${this.name}${path})`;
    this.add(path, { type: 'page', title, links: [], embeds: [], phantomMarkup: '', ...extra });
  }

  pageAt(path: string): PageResource {
    const resource = this.resources.get(path);
    if (resource?.type !== 'page') throw new Error(`${this.name}: ${path} is not a page`);
    return resource;
  }

  /** A page's address for links: some ordinary page other than the root where there is one. */
  somePage(): string {
    const rest = this.ordinary.slice(1);
    return rest.length === 0 ? '/' : this.random.pick(rest);
  }

  /** Link a page to an absolute URL, in a form of the stream's choice unless one is given. */
  link(
    fromPath: string,
    target: string,
    how: { form?: LinkForm; href?: string; nofollow?: boolean } = {},
  ): void {
    const page = this.pageAt(fromPath);
    const isLocal = target.startsWith(`${this.origin}/`);
    const base = new URL(page.baseHref ?? '', this.url(fromPath)).href;
    const href = how.href ?? writeHref(how.form ?? this.form(isLocal), base, target, this.salt());
    page.links.push({ href, text: words(this.random, 2), target, nofollow: how.nofollow ?? false });
  }

  /** Link to one of this host's paths from the root page and from some other page. */
  linkTwice(path: string, nofollow = false): void {
    this.link('/', this.url(path), { nofollow });
    this.link(this.somePage(), this.url(path), { nofollow });
  }

  build(): HostModel {
    const { index, name, resources, sitemaps, crawlDelayS } = this;
    return { index, name, resources, sitemaps, crawlDelayS };
  }

  private salt(): number {
    return this.random.int(1_000_000);
  }

  private form(isLocal: boolean): LinkForm {
    if (!this.options.features.linkForms) return isLocal ? 'rooted' : 'absolute';
    return this.random.pick<LinkForm>(isLocal ? LOCAL_FORMS : REMOTE_FORMS);
  }
}
