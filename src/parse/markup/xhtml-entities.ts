/**
 * Character references of XHTML: none without a semicolon; the names are those of its DTD, which are
 * HTML's.
 */

import { decodeHTMLStrict } from 'entities';

/** Longest beginning of a reference that is held back. */
const MAX_HELD = 64;

/** A whole text or attribute value with its references undone. */
export function decodeXhtml(raw: string): string {
  return raw.includes('&') ? decodeHTMLStrict(raw) : raw;
}

/** Undoes references in text that comes in pieces: one that is cut between two is put together. */
export class XhtmlText {
  private held = '';
  private readonly onText: (text: string) => void;

  constructor(onText: (text: string) => void) {
    this.onText = onText;
  }

  add(raw: string): void {
    const text = this.held + raw;
    const open = text.lastIndexOf('&');
    const isOpen =
      open >= 0 && text.length - open < MAX_HELD && /^&#?[\da-z]*$/i.test(text.slice(open));
    this.held = isOpen ? text.slice(open) : '';
    this.tell(isOpen ? text.slice(0, open) : text);
  }

  /** The text ends here. */
  flush(): void {
    const { held } = this;
    this.held = '';
    this.tell(held);
  }

  private tell(raw: string): void {
    if (raw !== '') this.onText(decodeXhtml(raw));
  }
}
