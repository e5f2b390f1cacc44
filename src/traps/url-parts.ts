/** A serialised URL taken apart, once for all rules. */

/** What the rules look at. */
export interface UrlParts {
  readonly url: string;
  /** Everything before the query. */
  readonly beforeQuery: string;
  /** Path segments that are not empty, as written. */
  readonly segments: readonly string[];
  /** Query without its `?`; empty without one. */
  readonly query: string;
  readonly parameters: readonly Parameter[];
}

/** One parameter as written. */
export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** What a rule says: nothing, that the URL comes later, or that it is held back. */
export type Verdict = 'later' | 'hold' | null;

/** Take a URL apart. Total: of what is no http(s) URL the parts are empty. */
export function urlParts(url: string): UrlParts {
  const hash = url.indexOf('#');
  const whole = hash < 0 ? url : url.slice(0, hash);
  const mark = whole.indexOf('?');
  const beforeQuery = mark < 0 ? whole : whole.slice(0, mark);
  const query = mark < 0 ? '' : whole.slice(mark + 1);
  const pathAt = beforeQuery.indexOf('/', beforeQuery.indexOf('://') + 3);
  const path = pathAt < 0 ? '' : beforeQuery.slice(pathAt);
  return {
    url: whole,
    beforeQuery,
    segments: path.split('/').filter((segment) => segment !== ''),
    query,
    parameters: query === '' ? [] : query.split('&').filter(Boolean).map(parameter),
  };
}

function parameter(text: string): Parameter {
  const at = text.indexOf('=');
  return at < 0
    ? { name: text, value: '' }
    : { name: text.slice(0, at), value: text.slice(at + 1) };
}
