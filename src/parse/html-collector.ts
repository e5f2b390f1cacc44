/** From the tags of an HTML page to what is of use: raw links, base, title, directives. */

import type { Link } from '../contracts/urls.js';
import { MAX_URL_CHARS } from '../url/parse-url.js';
import { isMetaRobotsFor, mergeDirectives, parseDirectives } from './meta-robots.js';
import type { PageDirectives } from './meta-robots.js';
import { parseRefresh } from './meta-refresh.js';
import type { Attributes, TagStreamOptions } from './tag-stream.js';

/** A link as written: the base, which may come after it, is not applied yet. */
export interface RawLink {
  readonly href: string;
  readonly kind: Link['kind'];
  readonly nofollow: boolean;
  readonly isCanonical: boolean;
}

/** What has been collected so far. */
export interface HtmlCollector {
  readonly handlers: Pick<TagStreamOptions, 'onOpenTag' | 'onCloseTag' | 'onText'>;
  readonly links: ReadonlyMap<string, RawLink>;
  base(): string | null;
  title(): string | null;
  directives(): PageDirectives;
  /** Links left out because there were too many, repetitions counted. */
  dropped(): number;
}

/** Attributes that the collector reads. */
// prettier-ignore
export const HTML_ATTRIBUTES: readonly string[] = [
  'href', 'xlink:href', 'src', 'rel', 'name', 'content', 'http-equiv', 'shadowrootmode',
];

/** `<link rel>` and Link headers that lead to pages or feeds; all others load resources. */
// prettier-ignore
export const NAVIGATION_REL: ReadonlySet<string> = new Set([
  'next', 'prev', 'previous', 'first', 'last', 'start', 'up', 'index', 'contents', 'toc', 'chapter',
  'section', 'subsection', 'appendix', 'glossary', 'copyright', 'help', 'author', 'license',
  'bookmark', 'alternate', 'canonical', 'shortlink', 'amphtml', 'home', 'archives',
]);
const FORBIDDING_REL = ['nofollow', 'ugc', 'sponsored'];
/** Schemes that pages use most besides http(s); the resolver would drop them too, at a price. */
const OTHER_SCHEME = /^\s*(?:javascript|mailto|tel|data|blob|about|sms|whatsapp):/i;
const MAX_TITLE_CHARS = 1_000;
/** Text of a title element that is read; white space is collapsed afterwards. */
const MAX_TITLE_TEXT = 10_000;

/**
 * Collector of one page.
 *
 * @param robotsAgent product token whose own meta directives count
 * @param maxLinks distinct hrefs at most
 */
export function collectHtml(robotsAgent: string, maxLinks: number): HtmlCollector {
  const links = new Map<string, RawLink>();
  let dropped = 0;
  let base: string | null = null;
  let directives: PageDirectives = { noindex: false, nofollow: false };
  let title: string | null = null;
  let isInTitle = false;
  let inertTemplates = 0;
  let shadowTemplates = 0;

  function addLink(
    href: string | undefined,
    kind: Link['kind'],
    rel: readonly string[] = [],
  ): void {
    if (href === undefined || OTHER_SCHEME.test(href)) return;
    const target = href.split('#', 1)[0] ?? '';
    // Three bytes an encoded character: longer than that no URL of a lawful length starts out.
    if (target.length > MAX_URL_CHARS) return;
    const nofollow = rel.some((name) => FORBIDDING_REL.includes(name));
    const isCanonical = kind === 'link' && rel.includes('canonical');
    const key = `${isCanonical ? 'canonical' : ''} ${target}`;
    const known = links.get(key);
    if (known) {
      if (known.nofollow && !nofollow) links.set(key, { ...known, nofollow });
    } else if (links.size >= maxLinks) {
      dropped += 1;
    } else {
      links.set(key, { href: target, kind, nofollow, isCanonical });
    }
  }

  function readMeta(attributes: Attributes): void {
    const content = attributes.get('content');
    if (content === undefined) return;
    if (isMetaRobotsFor(attributes.get('name') ?? '', robotsAgent)) {
      directives = mergeDirectives(directives, parseDirectives(content));
    }
    if (attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh') {
      addLink(parseRefresh(content) ?? undefined, 'refresh');
    }
  }

  function readTag(name: string, attributes: Attributes): void {
    const href = attributes.get('href');
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    switch (name) {
      case 'a':
        return addLink(href ?? attributes.get('xlink:href'), 'a', rel);
      case 'area':
        return addLink(href, 'area', rel);
      case 'iframe':
      case 'frame':
        return addLink(attributes.get('src') || undefined, name);
      case 'link':
        // An alternate stylesheet is a resource.
        if (rel.includes('stylesheet') || !rel.some((word) => NAVIGATION_REL.has(word))) return;
        return addLink(href, 'link', rel);
      case 'base':
        base ??= href ?? null;
        return;
      case 'meta':
        return readMeta(attributes);
      default:
    }
  }

  return {
    links,
    base: () => base,
    directives: () => directives,
    dropped: () => dropped,
    title: () => title?.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS) || null,
    handlers: {
      onOpenTag(name, attributes) {
        if (name === 'template') {
          // The content of a template is no part of the page, unless it is a shadow tree.
          if (inertTemplates > 0 || !attributes.has('shadowrootmode')) inertTemplates++;
          else shadowTemplates++;
        }
        if (inertTemplates > 0) return;
        if (name === 'title' && title === null) isInTitle = true;
        readTag(name, attributes);
      },
      onCloseTag(name) {
        if (name === 'title' && isInTitle) {
          isInTitle = false;
          title ??= '';
        }
        if (name !== 'template') return;
        if (inertTemplates > 0) inertTemplates--;
        else if (shadowTemplates > 0) shadowTemplates--;
      },
      onText(text) {
        if (!isInTitle || (title?.length ?? 0) > MAX_TITLE_TEXT) return;
        title = (title ?? '') + text.slice(0, MAX_TITLE_TEXT);
      },
    },
  };
}
