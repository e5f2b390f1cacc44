/** Patterns over whole URLs, as include, exclude and priorities take them. */

import { ConfigError } from '../errors.js';

/** A compiled pattern; `test` takes a URL as it is fetched. */
export interface UrlPattern {
  readonly source: string;
  test(url: string): boolean;
}

const REGEX_FORM = /^\/(.*)\/([a-z]*)$/s;

/**
 * Compile a glob over the whole URL (`*` is any run of characters, everything else, `?` too, is
 * itself) or a `/regular expression/`, found anywhere in the URL, with the flags i, s, u at most.
 * A glob is matched in linear time; how a regular expression behaves is up to its author.
 *
 * @param field option that the pattern came from, named in the message
 * @throws CONFIG_INVALID_OPTION
 */
export function compilePattern(source: string, field: string): UrlPattern {
  const regex = REGEX_FORM.exec(source);
  if (regex) return compileRegex(source, regex[1] ?? '', regex[2] ?? '', field);
  if (source === '') refuse(source, field, 'is empty; give a glob such as */docs/*');
  if (!source.startsWith('*') && !/^https?:?/i.test(source)) {
    refuse(
      source,
      field,
      'can match no URL, because a glob covers the whole URL; ' +
        `start it with * or https:// (*${source}), or write /a regular expression/`,
    );
  }
  const parts = source.split(/\*+/);
  return { source, test: (url) => matchGlob(parts, url) };
}

function compileRegex(source: string, body: string, flags: string, field: string): UrlPattern {
  if (body === '') refuse(source, field, 'is an empty regular expression; put something between');
  if (/[^isu]/.test(flags)) {
    refuse(source, field, `has the flags "${flags}"; only i, s and u have a meaning here`);
  }
  let regex: RegExp;
  try {
    regex = new RegExp(body, flags);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return refuse(source, field, `is no valid regular expression (${why}); correct it`, cause);
  }
  return { source, test: (url) => regex.test(url) };
}

/**
 * Does `text` consist of the literal parts in order, with anything between them? Taking the first
 * place of each part is enough: a later place never helps the parts that follow.
 */
export function matchGlob(parts: readonly string[], text: string): boolean {
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === first;
  const last = parts[parts.length - 1] ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function refuse(source: string, field: string, why: string, cause?: unknown): never {
  throw new ConfigError('CONFIG_INVALID_OPTION', `${field}: ${JSON.stringify(source)} ${why}.`, {
    details: { field, value: source },
    cause,
  });
}
