/**
 * Cookies of a crawl: a bounded jar per (crawl, host) in the memory of a worker, and a jar for one
 * redirect chain where the option is off. Rules (domain, path, Secure, public suffixes) are
 * tough-cookie's.
 */
import { CookieJar as ToughJar, MemoryCookieStore } from 'tough-cookie';
import type { Cookie } from 'tough-cookie';

/** Bytes of one Set-Cookie at most; RFC 6265 §6.1 asks for 4,096. */
const MAX_COOKIE_BYTES = 4_096;
/** RFC 6265 §6.1 asks for at least 50 a domain; further ones push out the oldest. */
const MAX_COOKIES_PER_JAR = 50;
/** Bytes of a Cookie header at most: many servers refuse requests above 8 KiB in all. */
const MAX_HEADER_BYTES = 6_144;
const MAX_JARS = 5_000;

/** What a fetch needs of cookies. */
export interface CookieJar {
  /** Value of the Cookie header for a request; null for none. */
  headerFor(url: string): string | null;
  /** Takes over a response's Set-Cookie values; malformed and foreign ones are ignored. */
  store(setCookies: readonly string[], url: string): void;
}

class BoundedJar implements CookieJar {
  readonly #store = new MemoryCookieStore();
  readonly #jar = new ToughJar(this.#store, { rejectPublicSuffixes: true });

  headerFor(url: string): string | null {
    let header = '';
    for (const cookie of this.#jar.getCookiesSync(url)) {
      const pair = cookie.cookieString();
      const next = header === '' ? pair : `${header}; ${pair}`;
      // What a header may hold: servers send anything, and a bad byte would fail the request.
      if (/[^\x20-\x7e\x80-\xff]/.test(pair) || next.length > MAX_HEADER_BYTES) continue;
      header = next;
    }
    return header === '' ? null : header;
  }

  store(setCookies: readonly string[], url: string): void {
    for (const text of setCookies) {
      if (Buffer.byteLength(text) > MAX_COOKIE_BYTES) continue;
      try {
        this.#jar.setCookieSync(text, url, { ignoreError: true });
      } catch {
        // A cookie that no rule foresees is a cookie that is not kept.
      }
    }
    this.#evict();
  }

  /** The memory store answers its callbacks at once. */
  #evict(): void {
    let cookies: Cookie[] = [];
    this.#store.getAllCookies((_error, all) => (cookies = all ?? []));
    const excess = cookies.length - MAX_COOKIES_PER_JAR;
    if (excess <= 0) return;
    cookies.sort((a, b) => (a.creationIndex ?? 0) - (b.creationIndex ?? 0));
    for (const { domain, path, key } of cookies.slice(0, excess)) {
      this.#store.removeCookie(domain ?? '', path ?? '', key, () => {});
    }
  }
}

/** A jar of its own, for one redirect chain (a page that sets a cookie and comes back). */
export function createChainJar(): CookieJar {
  return new BoundedJar();
}

/** The jars of a worker process; the least recently used go when there are too many. */
export class CookieJars {
  readonly #jars = new Map<string, CookieJar>();
  readonly #maxJars: number;

  /** @param maxJars default 5,000 */
  constructor(maxJars: number = MAX_JARS) {
    this.#maxJars = maxJars;
  }

  /** The jar of a host in a crawl; empty at first. */
  jarOf(crawlId: string, hostKey: string): CookieJar {
    const id = JSON.stringify([crawlId, hostKey]);
    const jar = this.#jars.get(id) ?? new BoundedJar();
    this.#jars.delete(id);
    this.#jars.set(id, jar);
    if (this.#jars.size > this.#maxJars) {
      const [oldest] = this.#jars.keys();
      if (oldest !== undefined) this.#jars.delete(oldest);
    }
    return jar;
  }

  /**
   * The jar for the requests of one redirect chain that starts at a host.
   *
   * @param isOn the crawl's `cookies` option: off gives every chain a fresh jar
   */
  jarForChain(isOn: boolean, crawlId: string, hostKey: string): CookieJar {
    return isOn ? this.jarOf(crawlId, hostKey) : createChainJar();
  }
}
