/** Text that merely repeats an address: a link's own, or that of the page ("/x/y was not found"). */

/** Parts that are shorter than this are words like any others. */
const MIN_PART_CHARS = 2;
const MAX_ADDRESS_CHARS = 4000;

/** The address of a page, as its text may repeat it. */
export class AddressEcho {
  private readonly path: string;
  private readonly parts: ReadonlySet<string>;

  constructor(url: string) {
    const address = decoded(url.slice(0, MAX_ADDRESS_CHARS)).toLowerCase();
    const start = address.indexOf('/', address.indexOf('://') + 3);
    this.path = start < 0 ? '' : address.slice(start);
    const parts = this.path.split(/[/?&=;+]/).filter((part) => part.length >= MIN_PART_CHARS);
    this.parts = new Set(parts);
  }

  /** @param chunk lower-case, without spaces */
  has(chunk: string): boolean {
    if (this.path.length < MIN_PART_CHARS) return false;
    if (chunk.includes('/') && chunk.includes(this.path)) return true;
    return this.parts.size > 0 && this.parts.has(trimmed(chunk));
  }
}

/** Does a link's text say no more than its target? `x7kq` of `/go/x7kq`, `/a/b` of `/a/b`. */
export function repeatsHref(text: string, href: string): boolean {
  const said = text.trim().toLowerCase();
  if (said === '' || /\s/.test(said)) return false;
  const target = decoded(href.trim()).toLowerCase();
  const at = target.lastIndexOf(said);
  if (at < 0) return false;
  const isWhole = at === 0 || '/=&?#:.'.includes(target[at - 1]!) || '/?'.includes(said[0]!);
  return isWhole && /^(?:\/|\.\w{1,5})?$/.test(target.slice(at + said.length));
}

function trimmed(chunk: string): string {
  return chunk.replace(/^[^\p{L}\p{N}]{1,9}/u, '').replace(/[^\p{L}\p{N}]{1,9}$/u, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
