/**
 * Is the parser inside SVG or MathML? There `<script>`, `<style>` and `<title>` hold ordinary markup
 * and `/>` closes a tag. An approximation without a tree that is right for balanced markup and for an
 * `<svg>` that was never closed.
 *
 * @see https://html.spec.whatwg.org/#parsing-main-inforeign
 */
export interface ForeignContext {
  open(name: string): void;
  close(name: string): void;
  isForeign(): boolean;
}

const ROOTS = new Set(['svg', 'math']);
/** Elements of SVG and MathML whose content is HTML again. */
const INTEGRATION_POINTS = new Set([
  'foreignobject',
  'desc',
  'title',
  'annotation-xml',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
]);
/** HTML elements that end foreign content wherever they appear. */
const BREAKOUT = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);
/** Deeper nesting is not followed: real pages stay under ten. */
const MAX_DEPTH = 256;

/** A context at the start of an HTML document. */
export function createForeignContext(): ForeignContext {
  /** Open roots and integration points, outermost first. */
  const open: string[] = [];
  const isForeign = () => ROOTS.has(open[open.length - 1] ?? '');
  return {
    isForeign,
    open(name) {
      if (isForeign() && BREAKOUT.has(name)) {
        while (isForeign()) open.pop();
      } else if (ROOTS.has(name) || (isForeign() && INTEGRATION_POINTS.has(name))) {
        if (open.length < MAX_DEPTH) open.push(name);
      }
    },
    close(name) {
      if (!ROOTS.has(name) && !INTEGRATION_POINTS.has(name)) return;
      const index = open.lastIndexOf(name);
      if (index >= 0) open.length = index;
    },
  };
}
