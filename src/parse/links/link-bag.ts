/** Raw links of a page, bounded, each once. */

import type { Link } from '../../contracts/urls.js';
import { MAX_URL_CHARS } from '../../url/parse-url.js';

/** A document whose `<base>` applies: the page, or one in an iframe's srcdoc. */
export interface LinkScope {
  /** Number, unique in the page. */
  readonly id: number;
  /** href of its first `<base>` that has one, which may come after its links. */
  base: string | null;
  /** Document that it stands in: the base of that is where its own starts from. */
  readonly parent: LinkScope | null;
}

/** A link as written; the base is not applied yet. */
export interface RawLink {
  readonly href: string;
  readonly kind: Link['kind'];
  readonly nofollow: boolean;
  readonly isCanonical: boolean;
  /** null: relative to the response, as in a header. */
  readonly scope: LinkScope | null;
}

/** Kinds that load what a page shows, rather than lead on. */
export const EMBED_KINDS: ReadonlySet<Link['kind']> = new Set<Link['kind']>([
  'img',
  'srcset',
  'script',
  'css',
  'icon',
  'preload',
  'manifest',
  'media',
  'object',
  'embed',
  'background',
]);

/** Schemes that pages use most besides http(s); the resolver would drop them too, at a price. */
const OTHER_SCHEME = /^\s*(?:javascript|mailto|tel|data|blob|about|sms|whatsapp):/i;

/** Collects links in document order. */
export class LinkBag {
  private readonly links = new Map<string, RawLink>();
  private readonly maxLinks: number;
  private droppedCount = 0;

  /** @param maxLinks distinct hrefs at most */
  constructor(maxLinks: number) {
    this.maxLinks = maxLinks;
  }

  get all(): Iterable<RawLink> {
    return this.links.values();
  }

  /** Links left out because there were too many, repetitions counted. */
  get dropped(): number {
    return this.droppedCount;
  }

  add(link: RawLink): void {
    if (OTHER_SCHEME.test(link.href)) return;
    const href = link.href.split('#', 1)[0] ?? '';
    // Longer than that no URL of a lawful length starts out: at worst a character is three blanks.
    if (href.length > MAX_URL_CHARS) return;
    const role = link.isCanonical ? 'c' : EMBED_KINDS.has(link.kind) ? 'e' : 'n';
    const key = `${role}${link.scope?.id ?? 'r'} ${href}`;
    const known = this.links.get(key);
    if (known) {
      if (known.nofollow && !link.nofollow) this.links.set(key, { ...known, nofollow: false });
    } else if (this.links.size >= this.maxLinks) {
      this.droppedCount++;
    } else {
      this.links.set(key, { ...link, href });
    }
  }
}
