/** Reading a response's head: header text, Content-Type, Location. */

/** Header fields by lower-case name, every value kept, in order of arrival. */
export type ResponseHeaders = Readonly<Record<string, readonly string[]>>;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** 304 is about a copy; 305 would send the request to a stranger's proxy, 306 is no longer used. */
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const LAST_KNOWN_REDIRECT = 308;

/** Header bytes as text: UTF-8 where they are that, else a character per byte. */
function headerText(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/**
 * The raw bytes of undici's header list (name, value, name, …).
 *
 * @param isHttp2 over HTTP/2 Node reads bytes as characters and undici writes those as UTF-8 again;
 *   this takes it back
 */
export function headerBytes(raw: readonly (Buffer | string)[], isHttp2: boolean): Buffer[] {
  return raw.map((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    return isHttp2 ? Buffer.from(bytes.toString('utf8'), 'latin1') : bytes;
  });
}

/** The list as a record; prototype-free, since servers choose the names. */
export function parseHeaders(list: readonly Buffer[]): ResponseHeaders {
  const headers = Object.create(null) as Record<string, string[]>;
  for (let i = 0; i + 1 < list.length; i += 2) {
    const name = (list[i] as Buffer).toString('latin1').toLowerCase();
    (headers[name] ??= []).push(headerText(list[i + 1] as Buffer).trim());
  }
  return headers;
}

/**
 * The Content-Type that counts: of several the last valid one, as the Fetch standard extracts it.
 *
 * @returns the value with its parameters; null where there is none or none is valid
 */
export function contentTypeOf(headers: ResponseHeaders): string | null {
  const values = headers['content-type'] ?? [];
  return (
    values.findLast((value) => /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+/.test(value)) ?? null
  );
}

/** Value of the first field of that name; null without one. */
export function firstHeader(headers: ResponseHeaders, name: string): string | null {
  return headers[name]?.[0] ?? null;
}

/**
 * Is it a part of what was asked for? Nobody asks for parts; 206 for all of it is a slip of some
 * servers, and a page like any other.
 */
export function isPartial(status: number, headers: ResponseHeaders): boolean {
  if (status !== 206) return false;
  const range = /^bytes 0-(\d+)\/(\d+)$/i.exec(firstHeader(headers, 'content-range') ?? '');
  return range === null || Number(range[1]) + 1 !== Number(range[2]);
}

/**
 * Does the status offer a choice of pages? 300, and every 3xx that nobody knows, which RFC 9110 §15
 * has read like it: Location names the preferred one, and without one the body lists them.
 */
export function isChoice(status: number): boolean {
  return status === 300 || (status > LAST_KNOWN_REDIRECT && status < 400);
}

/** Bytes that are not UTF-8 are escaped as they are, so that the server gets them back. */
function locationText(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`,
    ).join('');
  }
}

/**
 * Where a redirect leads: Location against the request URL (RFC 9110 §10.2.2, WHATWG URL), raw
 * non-ASCII taken as UTF-8, the fragment dropped. The scheme may be anything: the caller judges.
 *
 * @param list raw header list as of headerBytes
 * @returns null for a status that is no redirect, and for a Location that is missing or no URL
 */
export function redirectLocation(
  status: number,
  list: readonly Buffer[],
  requestUrl: string,
): string | null {
  if (!REDIRECT_STATUSES.has(status) && !isChoice(status)) return null;
  for (let i = 0; i + 1 < list.length; i += 2) {
    if ((list[i] as Buffer).toString('latin1').toLowerCase() !== 'location') continue;
    const text = locationText(list[i + 1] as Buffer).trim();
    if (text === '' || !URL.canParse(text, requestUrl)) return null;
    const target = new URL(text, requestUrl);
    target.hash = '';
    return target.href;
  }
  return null;
}
