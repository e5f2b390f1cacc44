/**
 * Tags and text of an XML file as sitemaps need them: all attributes, for namespaces are among them,
 * and text in whole runs, CDATA told apart, so that what is read does not depend on how the file was
 * cut into chunks. Entities other than the five predefined and the numeric ones stay as they stand.
 */

import { Tokenizer } from 'htmlparser2';

/** Characters of a name, an attribute value or a run of text that are kept; the rest is let go. */
export const MAX_RUN_CHARS = 65_536;
/** Attributes of one tag that are kept. */
const MAX_ATTRIBUTES = 200;

/** What to tell of a document. Names are lower-case and keep their prefix. */
export interface SitemapTokenHandlers {
  onOpenTag(name: string, attributes: ReadonlyMap<string, string>): void;
  onCloseTag(name: string): void;
  /** `isLiteral`: an `&` in it is meant, for it was escaped or in CDATA. */
  onText(text: string, isLiteral: boolean): void;
  /** `<!DOCTYPE …` and its like, without the angle brackets. */
  onDeclaration(text: string): void;
}

/** Write chunks of decoded text in order, then end. */
export interface SitemapTokens {
  write(chunk: string): void;
  end(): void;
}

export function createSitemapTokens(handlers: SitemapTokenHandlers): SitemapTokens {
  /** Text that an unfinished token may still need, its position, and how much of it is read. */
  let kept = '';
  let keptStart = 0;
  let read = 0;
  let run = '';
  let tag = '';
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';

  /** Text between two positions, cut at MAX_RUN_CHARS. Tokens come in order. */
  function slice(start: number, end: number): string {
    read = end - keptStart;
    return kept.slice(start - keptStart, Math.min(read, start - keptStart + MAX_RUN_CHARS));
  }
  const append = (text: string, more: string) => (text.length > MAX_RUN_CHARS ? text : text + more);
  const endRun = () => {
    if (run !== '') handlers.onText(run, false);
    run = '';
  };
  const openTag = (isSelfClosing: boolean) => {
    handlers.onOpenTag(tag, attributes);
    if (isSelfClosing) handlers.onCloseTag(tag);
  };

  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname(start, end) {
        endRun();
        tag = slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname(start, end) {
        attribute = slice(start, end).toLowerCase();
        value = '';
      },
      onattribdata(start, end) {
        value = append(value, slice(start, end));
      },
      onattribentity(codePoint) {
        value = append(value, String.fromCodePoint(codePoint));
      },
      onattribend() {
        if (!attributes.has(attribute) && attributes.size < MAX_ATTRIBUTES) {
          attributes.set(attribute, value);
        }
      },
      onopentagend: () => openTag(false),
      onselfclosingtag: () => openTag(true),
      onclosetag(start, end) {
        endRun();
        handlers.onCloseTag(slice(start, end).toLowerCase().trim());
      },
      ontext(start, end) {
        run = append(run, slice(start, end));
      },
      ontextentity(codePoint) {
        endRun();
        handlers.onText(String.fromCodePoint(codePoint), true);
      },
      oncdata(start, end, endOffset) {
        endRun();
        handlers.onText(slice(start, end - endOffset), true);
      },
      ondeclaration(start, end) {
        endRun();
        handlers.onDeclaration(slice(start, end));
      },
      oncomment: endRun,
      onprocessinginstruction: endRun,
      onend: endRun,
    },
  );

  return {
    write(chunk) {
      if (chunk === '') return;
      // Only what was read is cut off: a token of many chunks is not copied for each of them.
      if (read > 0) {
        kept = kept.slice(read);
        keptStart += read;
        read = 0;
      }
      kept += chunk;
      tokenizer.write(chunk);
    },
    end: () => tokenizer.end(),
  };
}
