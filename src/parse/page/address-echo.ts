/** Text that merely repeats an address: a link's own, or that of the page ("/x/y was not found"). */

/** Parts that are shorter than this are words like any others. */
const MIN_PART_CHARS = 2;
const MAX_ADDRESS_CHARS = 4000;

/** The address of a page, as its text may repeat it. */
export class AddressEcho {
  /** As written, and decoded. */
  private readonly paths: readonly string[];
  private readonly parts: ReadonlySet<string>;

  constructor(url: string) {
    const address = url.slice(0, MAX_ADDRESS_CHARS).toLowerCase();
    const start = address.indexOf('/', address.indexOf('://') + 3);
    const path = start < 0 ? '' : address.slice(start);
    this.paths = [path, decoded(path)].filter(({ length }) => length >= MIN_PART_CHARS);
    const parts = this.paths.flatMap((one) => one.split(/[/?&=;+]/));
    this.parts = new Set(parts.filter(({ length }) => length >= MIN_PART_CHARS));
  }

  /**
   * @param chunk lower-case, without spaces
   * @param core the same without punctuation around it
   */
  has(chunk: string, core: string): boolean {
    if (this.paths.length === 0) return false;
    if (chunk.includes('/') && this.paths.some((path) => chunk.includes(path))) return true;
    return this.parts.has(core);
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

/** Without quotes, brackets and the like around it. */
export function withoutMarks(chunk: string): string {
  return chunk.replace(/^[^\p{L}\p{N}]{1,9}/u, '').replace(/[^\p{L}\p{N}]{1,9}$/u, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
