/** Character references of HTML and of XHTML. */

import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from 'entities';

/** How character references are undone. */
export interface EntityDecoder {
  /** Of an attribute's whole value. */
  attribute(raw: string): string;
  /** Of a text; a reference that is cut off at its end may be misread. */
  text(raw: string): string;
}

/**
 * HTML: a few names count without a semicolon; in attributes not before `=` or a letter or digit.
 *
 * @see https://html.spec.whatwg.org/#character-reference-state
 */
export const HTML_ENTITIES: EntityDecoder = {
  attribute: (raw) => (raw.includes('&') ? decodeHTMLAttribute(raw) : raw),
  text: (raw) => (raw.includes('&') ? decodeHTML(raw) : raw),
};

/** XHTML: no reference without a semicolon; the names are those of its DTD, which are HTML's. */
export const XHTML_ENTITIES: EntityDecoder = {
  attribute: (raw) => (raw.includes('&') ? decodeHTMLStrict(raw) : raw),
  text: (raw) => (raw.includes('&') ? decodeHTMLStrict(raw) : raw),
};

/** Longest beginning of a reference that is held back. */
const MAX_HELD = 64;

/** Undoes references in text that comes in pieces: one that is cut between two is put together. */
export class TextDecoding {
  private held = '';
  private readonly decoder: EntityDecoder;
  private readonly onText: (text: string) => void;

  constructor(decoder: EntityDecoder, onText: (text: string) => void) {
    this.decoder = decoder;
    this.onText = onText;
  }

  add(raw: string): void {
    const text = this.held + raw;
    this.held = '';
    const open = text.lastIndexOf('&');
    if (open >= 0 && text.length - open < MAX_HELD && /^&#?[\da-z]*$/i.test(text.slice(open))) {
      this.held = text.slice(open);
      this.onText(this.decoder.text(text.slice(0, open)));
    } else {
      this.onText(this.decoder.text(text));
    }
  }

  /** The text ends here. */
  flush(): void {
    const { held } = this;
    this.held = '';
    if (held !== '') this.onText(this.decoder.text(held));
  }
}
