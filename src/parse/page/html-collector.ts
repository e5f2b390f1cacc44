/** From the elements of a page to what is of use: raw links, base, title, directives. */

import type { Link } from '../../contracts/urls.js';
import { MAX_CSS_CHARS, cssUrls } from '../links/css-urls.js';
import type { Namespace } from '../markup/element-kinds.js';
import { EMBED_ATTRIBUTES, embedLinks } from '../links/embed-links.js';
import { FormLinks } from '../links/form-links.js';
import type { PageElement, PageHandlers } from '../markup/html-tree.js';
import type { LinkBag, LinkScope } from '../links/link-bag.js';
import { forbidsFollowing, isNavigation, relationsOf } from '../links/link-relations.js';
import { isMetaRobotsFor, mergeDirectives, parseDirectives } from './meta-robots.js';
import type { PageDirectives } from './meta-robots.js';
import { parseRefresh } from '../links/meta-refresh.js';
import type { Attributes } from '../markup/attributes.js';
import { TextRun } from '../links/text-links.js';

/** What is extracted besides navigation. */
export interface LinkOptions {
  /** Images, scripts, style sheets, media. Default false. */
  readonly embeds?: boolean | undefined;
  /** Actions of forms sent by GET. Default false. */
  readonly forms?: boolean | undefined;
  /** URLs in text, outside of links. Default false. */
  readonly textLinks?: boolean | undefined;
}

/** What a collector works on. */
export interface CollectorContext {
  readonly robotsAgent: string;
  readonly options: LinkOptions;
  readonly bag: LinkBag;
  readonly scope: LinkScope;
  /** Read the document of an iframe's srcdoc. */
  readonly onSrcdoc: (html: string, scope: LinkScope) => void;
}

const NAVIGATION_ATTRIBUTES = ['href', 'xlink:href', 'src', 'rel', 'name', 'content', 'http-equiv'];
/** Elements whose text is no text of the page. */
const SILENT = new Set(['title', 'textarea', 'script', 'style', 'iframe', 'noembed', 'noframes']);
const MAX_TITLE_CHARS = 1_000;
/** Text of a title element that is read; white space is collapsed afterwards. */
const MAX_TITLE_TEXT = 10_000;

/** Attributes that a collector reads, lower-case. */
export function attributesFor(options: LinkOptions): string[] {
  return [
    ...NAVIGATION_ATTRIBUTES,
    'srcdoc',
    ...(options.embeds ? EMBED_ATTRIBUTES : []),
    ...(options.forms ? ['action', 'method', 'formaction', 'formmethod', 'type'] : []),
  ];
}

/** Collector of one document. */
export class HtmlCollector implements PageHandlers {
  directives: PageDirectives = { noindex: false, nofollow: false };
  private readonly context: CollectorContext;
  private readonly forms = new FormLinks();
  private readonly run: TextRun;
  private titleText: string | null = null;
  private isInTitle = false;
  private css: string | null = null;
  private cssLeft = MAX_CSS_CHARS;

  constructor(context: CollectorContext) {
    this.context = context;
    this.run = new TextRun((url) => this.add(url, 'text'));
  }

  /** White space collapsed, 1,000 characters at most; null without one. */
  get title(): string | null {
    const text = this.titleText?.replace(/[\t\n\f\r ]+/g, ' ').trim();
    return text?.slice(0, MAX_TITLE_CHARS) || null;
  }

  onElement(name: string, space: Namespace, attributes: Attributes): void {
    if (name !== 'wbr') this.textEnds();
    if (name === 'title' && space === 'html' && this.titleText === null) {
      this.isInTitle = true;
      this.titleText = '';
    }
    const { options } = this.context;
    if (name === 'style' && options.embeds) this.css = '';
    if (attributes.size === 0) return;
    const get = (attribute: string) => attributes.get(attribute);
    if (space === 'html') this.readHtml(name, get);
    else if (space === 'math' || name === 'a') {
      this.add(get('href') ?? get('xlink:href'), 'a', relationsOf(get('rel') ?? ''));
    }
    if (options.embeds) {
      for (const { href, kind } of embedLinks(name, space, get)) this.add(href, kind);
    }
    if (options.forms && space === 'html') this.add(this.forms.read(name, get), 'form');
  }

  onEndTag(name: string): void {
    if (name !== 'wbr') this.textEnds();
  }

  onEnd(): void {
    this.textEnds();
  }

  private textEnds(): void {
    this.isInTitle = false;
    if (this.css !== null) {
      for (const url of cssUrls(this.css)) this.add(url, 'css');
      this.css = null;
    }
    if (this.context.options.textLinks) this.run.flush();
  }

  onText(text: string, within: PageElement): void {
    if (this.isInTitle) {
      this.titleText += text.slice(0, MAX_TITLE_TEXT - (this.titleText?.length ?? 0));
    } else if (this.css !== null) {
      const part = text.slice(0, this.cssLeft);
      this.css += part;
      this.cssLeft -= part.length;
    } else if (this.context.options.textLinks && !within.isLinked && !SILENT.has(within.name)) {
      this.run.add(text);
    }
  }

  private readHtml(name: string, get: (attribute: string) => string | undefined): void {
    switch (name) {
      case 'a':
      case 'area':
        return this.add(get('href'), name, relationsOf(get('rel') ?? ''));
      case 'iframe': {
        const srcdoc = get('srcdoc');
        if (srcdoc) this.context.onSrcdoc(srcdoc, this.context.scope);
        return this.add(get('src') || undefined, name);
      }
      case 'frame':
        return this.add(get('src') || undefined, name);
      case 'link': {
        const relations = relationsOf(get('rel') ?? '');
        if (isNavigation(relations)) this.add(get('href') || undefined, 'link', relations);
        return;
      }
      case 'base':
        this.context.scope.base ??= get('href') ?? null;
        return;
      case 'meta':
        return this.readMeta(get);
      default:
    }
  }

  private readMeta(get: (attribute: string) => string | undefined): void {
    const content = get('content');
    if (content === undefined) return;
    const { robotsAgent } = this.context;
    if (isMetaRobotsFor(get('name') ?? '', robotsAgent)) {
      this.directives = mergeDirectives(this.directives, parseDirectives(content));
    }
    if (get('http-equiv')?.toLowerCase() === 'refresh') {
      this.add(parseRefresh(content) ?? undefined, 'refresh');
    }
  }

  private add(href: string | undefined, kind: Link['kind'], rel: readonly string[] = []): void {
    if (href === undefined) return;
    const { bag, scope } = this.context;
    bag.add({
      href,
      kind,
      scope,
      nofollow: forbidsFollowing(rel),
      isCanonical: kind === 'link' && rel.includes('canonical') && scope.parent === null,
    });
  }
}
