/**
 * Kinds of elements that the rules of tree construction name.
 *
 * @see https://html.spec.whatwg.org/#parsing
 */

/** Where an element's name is defined. */
export type Namespace = 'html' | 'svg' | 'math';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements without content. */
export const VOID = set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** Start tags that close an open paragraph. */
export const CLOSES_P = set(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer ' +
    'header hgroup main menu nav ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing form li ' +
    'dd dt plaintext hr xmp table',
);

/** Elements whose end tag closes whatever is open in them, if they are in scope. */
export const BLOCKS = set(
  'address article aside blockquote button center details dialog dir div dl fieldset figcaption figure ' +
    'footer header hgroup listing main menu nav ol pre search section select summary ul applet ' +
    'marquee object',
);

export const HEADINGS = set('h1 h2 h3 h4 h5 h6');

/** Elements whose end tag may stand in the wrong order. */
export const FORMATTING = set('a b big code em font i nobr s small strike strong tt u');

/** Parts of a table, and the open parts in which each may stand. */
export const TABLE_PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['caption', 'colgroup', 'tbody', 'thead', 'tfoot'].map((n) => [n, set('table')] as const),
  ['col', set('colgroup table')],
  ['tr', set('tbody thead tfoot table')],
  ...['td', 'th'].map((n) => [n, set('tr tbody thead tfoot table')] as const),
]);

/** Start tags after which a `<frameset>` no longer replaces the body. */
export const SETTLES_BODY = set(
  'body pre listing li dd dt button applet marquee object table area br embed img keygen wbr hr ' +
    'textarea xmp iframe select',
);

/** Elements in which any other end tag stops looking for its start tag. */
export const SPECIAL = set(
  'address applet area article aside base basefont bgsound blockquote body br button caption center ' +
    'col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset ' +
    'h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee ' +
    'menu meta nav noembed noframes noscript object ol p param plaintext pre script search section ' +
    'select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
);

/** Elements that bound "in scope". */
export const SCOPES = set('applet caption table td th marquee object select template');

/** HTML elements that end SVG or MathML wherever they appear; `font` does with certain attributes. */
export const BREAKOUT = set(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);

/** Elements of SVG and of MathML whose content is HTML again. */
export const SVG_INTEGRATION = set('foreignobject desc title');
export const MATH_INTEGRATION = set('mi mo mn ms mtext');
