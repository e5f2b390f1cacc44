/** Link headers: RFC 8288 §3. Pure and tolerant: what can't be read is skipped. */

/** One link of a Link header. */
export interface HeaderLink {
  /** As it stands; relative to the response's URL. */
  readonly target: string;
  /** Relation types, lower-case. */
  readonly rel: readonly string[];
}

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]+))?)*)/g;
const PARAMETER = /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+)))?/g;
/** A header line past this is ignored: no server means it. */
const MAX_HEADER_CHARS = 16_384;

/** @param values one entry a header line; several links a line are separated by commas */
export function parseLinkHeader(values: readonly string[]): HeaderLink[] {
  const links: HeaderLink[] = [];
  for (const value of values) {
    if (value.length > MAX_HEADER_CHARS) continue;
    for (const [, target = '', parameters = ''] of value.matchAll(LINK)) {
      let rel: string | undefined;
      for (const [, name = '', quoted, bare] of parameters.matchAll(PARAMETER)) {
        // RFC 8288 §3.3: of several rel parameters the first counts.
        if (name.toLowerCase() === 'rel') rel ??= quoted ?? bare ?? '';
      }
      links.push({
        target: target.trim(),
        rel: (rel ?? '').toLowerCase().split(/\s+/).filter(Boolean),
      });
    }
  }
  return links;
}
