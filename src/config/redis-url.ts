/** REDIS_URL: checked before anybody connects, and never shown with its password. */

import { ConfigError } from '../errors.js';

/** A Redis address that has been checked. */
export interface RedisAddress {
  /** With credentials; for the connection only. */
  readonly url: string;
  /** Without password; for messages and logs. */
  readonly display: string;
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** ACL user; null for the default user. */
  readonly username: string | null;
  readonly hasPassword: boolean;
  /** Database number, 0 where the URL names none. */
  readonly db: number;
}

const FORM = 'redis[s]://[user[:password]@]host[:port][/db]';

/**
 * Check a Redis URL: `redis:` or `rediss:` (TLS), an ACL user, a database number.
 *
 * @param source where the value came from, for the message; default `REDIS_URL`
 * @throws CONFIG_INVALID_OPTION; its message never holds the credentials
 */
export function parseRedisUrl(value: string, source = 'REDIS_URL'): RedisAddress {
  const text = value.trim();
  if (!URL.canParse(text)) {
    // What can't be parsed can't be redacted either, so the value stays out of the message.
    throw refusal(
      source,
      text === '' ? 'an empty value' : 'text that is no URL (kept out of this message)',
      'percent-encode special characters of the password (encodeURIComponent)',
    );
  }
  const url = new URL(text);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') {
    throw refusal(source, `the scheme ${url.protocol}`, 'use redis: or, with TLS, rediss:');
  }
  if (url.hostname === '') throw refusal(source, 'no host', `write it as ${FORM}`);
  const path = decodeOr(url.pathname, '').replace(/^\/|\/$/g, '');
  if (!/^\d{0,5}$/.test(path)) {
    // Not repeated: with a bare "/" in a password, its rest ends up here.
    throw refusal(source, 'a database that is no number', 'end it with one, like /0');
  }
  if (url.search !== '' || url.hash !== '') {
    // Clients disagree on query parameters; silently ignored ones would be worse.
    throw refusal(source, 'a query or fragment', 'leave out what follows "?" or "#"');
  }
  for (const part of [url.username, url.password]) {
    if (decodeOr(part, undefined) === undefined) {
      throw refusal(source, 'a broken percent-encoding', 'write a literal "%" as "%25"');
    }
  }
  const port = url.port === '' ? 6379 : Number(url.port);
  const db = path === '' ? 0 : Number(path);
  const username = url.username === '' ? null : decodeURIComponent(url.username);
  const user = username === null ? '' : `${url.username}@`;
  return {
    url: text,
    display: `${url.protocol}//${user}${url.hostname}:${String(port)}/${String(db)}`,
    tls: url.protocol === 'rediss:',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    username,
    hasPassword: url.password !== '',
    db,
  };
}

function decodeOr<T>(text: string, fallback: T): string | T {
  try {
    return decodeURIComponent(text);
  } catch {
    return fallback;
  }
}

function refusal(source: string, got: string, remedy: string): ConfigError {
  return new ConfigError(
    'CONFIG_INVALID_OPTION',
    `${source}: expected ${FORM}, got ${got}; ${remedy}`,
    { details: { field: source } },
  );
}
