/** From the tags of a sitemap, sitemap index, RSS or Atom document to its entries. */

import { MAX_URL_CHARS, parseUrl } from '../../url/parse-url.js';
import {
  entryFacts,
  formatOfRoot,
  isFeed,
  ownPrefixes,
  splitName,
  type FormatNames,
  type SitemapFormat,
} from './sitemap-format.js';
import type { SitemapLists } from './sitemap-lists.js';
import type { SitemapTokenHandlers } from './sitemap-tokens.js';

/** What collects the entries of an XML file. */
export interface SitemapCollector {
  readonly handlers: SitemapTokenHandlers;
  /** The document ended: an entry that was left open counts if its address was complete. */
  finish(): void;
  /** Null while no root element was read, and for another document. */
  format(): SitemapFormat | null;
  /** Name of the root element while its end tag has not come; null before and after. */
  openRoot(): string | null;
}

/** Entities that were not decoded: an address with one would be another address. */
const UNKNOWN_ENTITY = /&[a-z][a-z0-9]*;/i;
/** Cheaper than to parse what is none, which a hostile file has millions of. */
const WEB_ADDRESS = /^https?:/i;
/** An entity declaration, in the internal subset of a DTD or by itself. */
const ENTITY_DECLARATION = /<!entity\b|^entity\b/i;
const ALTERNATE = /^(?:|alternate|https?:\/\/www\.iana\.org\/assignments\/relation\/alternate)$/i;

/** An entry that is being read. */
interface Item {
  readonly name: string;
  readonly fields: Map<string, string>;
  readonly base: string;
  /** Elements open in it that are none of its fields. */
  depth: number;
  /** Its address could not be used, which has been said. */
  isFaulty: boolean;
  /** Text that stands in it outside of fields: of a sitemap whose author knew no `<loc>`, the address. */
  text: string;
}

/** A field that is being read. */
interface Field {
  readonly name: string;
  /** Name with prefix. */
  readonly tag: string;
  readonly base: string;
  text: string;
  /** Elements open in it: their text is not the field's own. */
  depth: number;
  /** Its text is not what the author meant: an undefined entity, or markup in it. */
  fault: string | null;
}

/** @param url where the file came from: feeds have links relative to it */
export function collectSitemap(url: string, lists: SitemapLists): SitemapCollector {
  let names: FormatNames | null = null;
  let isOwn: (prefix: string) => boolean = () => false;
  let base = url;
  let rootTag = '';
  let isRootOpen = false;
  let item: Item | null = null;
  let field: Field | null = null;

  function openRoot(fullName: string, attributes: ReadonlyMap<string, string>): void {
    const [name, prefix] = splitName(fullName);
    names = formatOfRoot(name);
    if (names === null) {
      lists.fail(`no sitemap or feed: its root element is <${fullName.slice(0, 50)}>`);
      return;
    }
    rootTag = fullName;
    isRootOpen = true;
    isOwn = ownPrefixes(names.format, prefix, attributes);
    base = baseOf(attributes, url);
  }

  function endItem(): void {
    endField();
    if (item === null) return;
    const { name, fields, base: itemBase, isFaulty, text } = item;
    item = null;
    const loc =
      fields.get('loc') || fields.get('link') || fields.get('guid') || fields.get('about');
    const bare = text.trim();
    const isBare = !isFaulty && WEB_ADDRESS.test(bare) && !UNKNOWN_ENTITY.test(bare);
    if (loc === undefined && isBare && !isFeed(names?.format ?? null)) {
      lists.notes.add('an address without <loc> around it', bare);
      if (name === 'sitemap') lists.addSitemap(bare);
      else lists.add(bare, undefined, entryFacts(fields, lists.notes));
    } else if (loc === undefined) {
      if (!isFaulty) lists.notes.add(`<${name}> without an address`);
    } else if (name === 'sitemap') lists.addSitemap(loc, locBase(loc, itemBase));
    else lists.add(loc, locBase(loc, itemBase), entryFacts(fields, lists.notes));
  }

  /** Feeds have relative links; sitemaps must not, yet a path is understood, a bare word is not. */
  function locBase(loc: string, itemBase: string): string | undefined {
    return isFeed(names?.format ?? null) || /^\/(?!$)/.test(loc) ? itemBase : undefined;
  }

  function openField(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (item === null) return;
    const [name] = splitName(tag);
    const fieldBase = baseOf(attributes, item.base);
    const href = attributes.get('href');
    if (name === 'link' && href !== undefined) {
      // Atom: the alternate is the page, a link without rel is one; of several the first counts.
      if (ALTERNATE.test(attributes.get('rel')?.trim() ?? '')) setField(name, href, fieldBase);
      return;
    }
    if (name === 'guid' && attributes.get('ispermalink')?.trim().toLowerCase() === 'false') return;
    field = { name, tag, base: fieldBase, text: '', depth: 0, fault: null };
  }

  function endField(): void {
    if (field === null) return;
    const { name, text, base: fieldBase, fault } = field;
    field = null;
    if (fault === null) setField(name, text, fieldBase);
    else leaveOut(name, `${fault} in an address: left out`, text);
  }

  function leaveOut(name: string, why: string, text: string): void {
    if (item === null || !isAddress(name)) return;
    item.isFaulty = true;
    lists.notes.add(why, text);
  }

  function setField(name: string, text: string, fieldBase: string): void {
    const value = text.trim();
    if (item === null || value === '' || item.fields.has(name)) return;
    if (value.length > MAX_URL_CHARS) {
      leaveOut(name, 'an address that is too long: left out', value);
      return;
    }
    // A guid is an address only if it says so by itself.
    if (name === 'guid' && !(WEB_ADDRESS.test(value) && parseUrl(value) !== null)) return;
    const isRelative = isFeed(names?.format ?? null) && isAddress(name) && fieldBase !== item.base;
    item.fields.set(name, isRelative ? (parseUrl(value, fieldBase) ?? value) : value);
  }

  return {
    finish() {
      field = null;
      if (item !== null && item.fields.size > 0) endItem();
    },
    format: () => names?.format ?? null,
    openRoot: () => (isRootOpen ? rootTag : null),
    handlers: {
      onDeclaration(declaration) {
        if (ENTITY_DECLARATION.test(declaration)) {
          lists.fail('a DTD that declares entities: refused, because they are never expanded');
        }
      },
      onOpenTag(fullName, attributes) {
        if (lists.isDone()) return;
        if (names === null) {
          openRoot(fullName, attributes);
          return;
        }
        const [name, prefix] = splitName(fullName);
        const isItem = isOwn(prefix) && names.items.has(name);
        // RSS 1.0 has no date of its own: the one of Dublin Core is used.
        const isOurs = name === 'date' ? prefix === 'dc' : isOwn(prefix);
        const isField = isOurs && names.fields.has(name);
        if (field !== null) {
          // `<loc><url>…`: a wrapper; else the closing tag of the field is missing.
          if ((isItem || isField) && field.text.trim() !== '') endField();
          else if (isItem) return;
          else if (isField) field = null;
          else {
            field.depth += 1;
            field.fault ??= 'markup';
            return;
          }
        }
        if (isItem) {
          endItem();
          const itemBase = baseOf(attributes, base);
          item = openItem(name, itemBase);
          const about = attributes.get('rdf:about')?.trim() ?? '';
          if (WEB_ADDRESS.test(about)) item.fields.set('about', about);
        } else if (item === null) {
          // `<channel xml:base>`
          if (name === 'channel') base = baseOf(attributes, base);
        } else if (isField && item.depth === 0) {
          openNext(fullName, attributes);
        } else {
          item.depth += 1;
        }
      },
      onCloseTag(fullName) {
        const [name, prefix] = splitName(fullName);
        if (fullName === rootTag) isRootOpen = false;
        if (field !== null && fullName === field.tag) endField();
        else if (item !== null && name === item.name && isOwn(prefix)) endItem();
        else if (field !== null) field.depth = Math.max(0, field.depth - 1);
        else if (item !== null) item.depth = Math.max(0, item.depth - 1);
      },
      onText(piece, isLiteral) {
        if (field === null && item?.depth === 0 && item.text.length <= MAX_URL_CHARS) {
          item.text += piece;
        }
        if (field === null || field.depth > 0 || field.text.length > MAX_URL_CHARS) return;
        field.text += piece;
        if (!isLiteral && UNKNOWN_ENTITY.test(piece)) field.fault ??= 'an undefined entity';
      },
    },
  };

  /** A second address begins another entry: the end tag between the two is missing. */
  function openNext(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (item?.fields.has('loc') && splitName(tag)[0] === 'loc') {
      const next = openItem(item.name, item.base);
      endItem();
      item = next;
    }
    openField(tag, attributes);
  }
}

function openItem(name: string, base: string): Item {
  return { name, fields: new Map(), base, depth: 0, isFaulty: false, text: '' };
}

function baseOf(attributes: ReadonlyMap<string, string>, outer: string): string {
  const own = attributes.get('xml:base');
  return own === undefined ? outer : (parseUrl(own, outer) ?? outer);
}

function isAddress(name: string): boolean {
  return name === 'loc' || name === 'link' || name === 'guid';
}
