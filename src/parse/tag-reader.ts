/**
 * The part of an HTML tag after `<` or `</`: name and attributes, fed in pieces of any length. Only the
 * attributes asked for are kept, so that a tag of a million attributes costs no memory.
 *
 * @see https://html.spec.whatwg.org/#tag-name-state
 */

/** Longest attribute value that is kept, in characters; a longer one counts as absent, never cut. */
export const MAX_ATTRIBUTE_CHARS = 262_144;
/** Longest tag or attribute name that is told from others; no name of HTML comes near. */
const MAX_NAME_CHARS = 64;

/** Attribute values as written, entities undecoded; null for one that was too long. */
export type RawAttributes = ReadonlyMap<string, string | null>;

const State = {
  tagName: 0,
  beforeName: 1,
  attributeName: 2,
  afterName: 3,
  beforeValue: 4,
  doubleQuoted: 5,
  singleQuoted: 6,
  unquoted: 7,
} as const;
type State = (typeof State)[keyof typeof State];

const TAG_NAME_END = /[\t\n\f\r />]/g;
const NAME_END = /[\t\n\f\r />=]/g;
const VALUE_END = /[\t\n\f\r >]/g;

/** Reads one tag after the other: start, then read until isComplete. */
export class TagReader {
  /** ASCII lower-case. */
  name = '';
  isEndTag = false;
  /** Ends in `/>`. */
  isSelfClosing = false;
  isComplete = false;
  attributes = new Map<string, string | null>();

  private readonly wanted: ReadonlySet<string>;
  private state: State = State.tagName;
  private attribute = '';
  private value: string | null = null;

  /** @param wanted lower-case names of the attributes to keep */
  constructor(wanted: ReadonlySet<string>) {
    this.wanted = wanted;
  }

  /** @param name known already, as that of the end tag of a raw text element; else read from what follows */
  start(isEndTag: boolean, name = ''): void {
    this.name = name;
    this.isEndTag = isEndTag;
    this.isSelfClosing = false;
    this.isComplete = false;
    this.attributes = new Map();
    this.state = name === '' ? State.tagName : State.beforeName;
  }

  /** Read on from `from`; returns the position behind what was read: all, unless the tag ended. */
  read(text: string, from: number): number {
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      switch (this.state) {
        case State.tagName: {
          const end = indexOf(TAG_NAME_END, text, at);
          this.name = grow(this.name, text, at, end);
          at = end;
          if (end < text.length) {
            this.name = lowerCase(this.name);
            this.state = State.beforeName;
          }
          break;
        }
        case State.beforeName:
          at++;
          if (code === GREATER) return this.complete(at);
          if (code === SLASH) this.isSelfClosing = true;
          else this.isSelfClosing = false;
          if (code !== SLASH && !isSpace(code)) {
            // Even `=`: it starts a name here.
            this.attribute = text[at - 1] ?? '';
            this.state = State.attributeName;
          }
          break;
        case State.attributeName: {
          const end = indexOf(NAME_END, text, at);
          this.attribute = grow(this.attribute, text, at, end);
          at = end;
          if (end < text.length) this.nameEnds();
          break;
        }
        case State.afterName:
          if (isSpace(code)) {
            at++;
          } else if (code === EQUALS) {
            at++;
            this.state = State.beforeValue;
          } else {
            this.valueEnds();
          }
          break;
        case State.beforeValue:
          if (code === GREATER) {
            this.valueEnds();
            break;
          }
          if (isSpace(code) || code === DOUBLE_QUOTE || code === SINGLE_QUOTE) at++;
          if (isSpace(code)) break;
          this.state =
            code === DOUBLE_QUOTE
              ? State.doubleQuoted
              : code === SINGLE_QUOTE
                ? State.singleQuoted
                : State.unquoted;
          break;
        case State.doubleQuoted:
        case State.singleQuoted: {
          const end = text.indexOf(this.state === State.doubleQuoted ? '"' : "'", at);
          this.append(text, at, end < 0 ? text.length : end);
          at = end < 0 ? text.length : end + 1;
          if (end >= 0) this.valueEnds();
          break;
        }
        case State.unquoted: {
          const end = indexOf(VALUE_END, text, at);
          this.append(text, at, end);
          at = end;
          if (end < text.length) this.valueEnds();
          break;
        }
      }
    }
    return at;
  }

  private complete(at: number): number {
    this.isComplete = true;
    return at;
  }

  private nameEnds(): void {
    this.attribute = lowerCase(this.attribute);
    const isNew = this.wanted.has(this.attribute) && !this.attributes.has(this.attribute);
    this.value = isNew ? '' : null;
    // Of two attributes of one name the first counts, even if it turns out to be too long.
    if (isNew) this.attributes.set(this.attribute, null);
    this.state = State.afterName;
  }

  private append(text: string, from: number, to: number): void {
    if (this.value === null) return;
    this.value =
      this.value.length + to - from > MAX_ATTRIBUTE_CHARS
        ? null
        : this.value + text.slice(from, to);
  }

  private valueEnds(): void {
    if (this.value !== null) this.attributes.set(this.attribute, this.value);
    this.isSelfClosing = false;
    this.state = State.beforeName;
  }
}

const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function indexOf(end: RegExp, text: string, from: number): number {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** One character past the limit is kept, so that a name that was cut is no known name. */
function grow(name: string, text: string, from: number, to: number): string {
  const room = MAX_NAME_CHARS + 1 - name.length;
  return room <= 0 ? name : name + text.slice(from, Math.min(to, from + room));
}

/** ASCII letters only: a Kelvin sign is no k. */
function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (part) => part.toLowerCase()) : name;
}
