/** Reads one document, nested ones included, into links and facts. */

import { attributesFor, HtmlCollector, type LinkOptions } from './html-collector.js';
import { HtmlTree, type PageHandlers } from '../markup/html-tree.js';
import { LinkBag, type LinkScope } from '../links/link-bag.js';
import type { PageText } from './page-text.js';
import { XhtmlReader } from '../markup/xhtml-reader.js';

/** Documents in srcdoc attributes in one another that are read. */
export const MAX_SRCDOC_DEPTH = 3;

/** What is to be read, and how. */
export interface PageReaderOptions extends LinkOptions {
  readonly isXml: boolean;
  readonly robotsAgent: string;
  readonly maxLinks: number;
  /** Hears the text of the page. */
  readonly pageText: PageText;
}

/** Write pieces of text in order, then end. */
export class PageReader {
  readonly bag: LinkBag;
  readonly scope: LinkScope = { id: 0, base: null, parent: null };
  readonly collector: HtmlCollector;
  private readonly options: PageReaderOptions;
  private readonly source: HtmlTree | XhtmlReader;
  private scopes = 0;

  constructor(options: PageReaderOptions) {
    this.options = options;
    this.bag = new LinkBag(options.maxLinks);
    this.collector = this.collectorOf(this.scope, 0);
    const handlers = alsoTo(this.collector, options.pageText);
    const attributes = attributesFor(options);
    this.source = options.isXml
      ? new XhtmlReader(attributes, handlers)
      : new HtmlTree(attributes, handlers);
  }

  write(text: string): void {
    this.source.write(text);
  }

  end(): void {
    this.source.end();
  }

  private collectorOf(scope: LinkScope, depth: number): HtmlCollector {
    return new HtmlCollector({
      robotsAgent: this.options.robotsAgent,
      options: this.options,
      bag: this.bag,
      scope,
      onSrcdoc: (html, parent) => {
        if (depth < MAX_SRCDOC_DEPTH) this.readSrcdoc(html, parent, depth + 1);
      },
    });
  }

  /** Always HTML; its own `<base>` counts, its title and robots directives are its own. */
  private readSrcdoc(html: string, parent: LinkScope, depth: number): void {
    const scope = { id: ++this.scopes, base: null, parent };
    const tree = new HtmlTree(attributesFor(this.options), this.collectorOf(scope, depth));
    tree.write(html);
    tree.end();
  }
}

/** The collector's handlers; the digest of the page's text hears of everything too. */
function alsoTo(collector: HtmlCollector, pageText: PageText): PageHandlers {
  return {
    onElement(name, space, attributes) {
      collector.onElement(name, space, attributes);
      pageText.onOpenTag(name, attributes);
    },
    onEndTag(name) {
      collector.onEndTag(name);
      pageText.onCloseTag(name);
    },
    onText(text, within) {
      collector.onText(text, within);
      pageText.onText(text);
    },
    onEnd() {
      collector.onEnd();
    },
  };
}
