/** A case of test/vectors/http.json, whose `about` explains the fields, and its URLs. */
import { loadVectors } from '../../vectors/load.js';
import type { PlayedWeb } from './start.js';

export interface HttpCase {
  readonly name: string;
  readonly category: string;
  /** What the host does, for people. */
  readonly behaviour: string;
  readonly seeds?: readonly string[];
  /** Outcome of the first seed, and the code that its record gives. */
  readonly disposition: string;
  readonly code: string | null;
  /** Outcome and code of other URLs. */
  readonly also?: Readonly<Record<string, string>>;
  /** Requests for a URL that the host saw. */
  readonly asked?: Readonly<Record<string, number>>;
  /** What the host saw at most. */
  readonly limits?: {
    readonly requests?: number;
    readonly connections?: number;
    readonly connectionsAtOnce?: number;
    /** That one connection took. */
    readonly bytes?: number;
    /** Questions for its name. */
    readonly questions?: number;
  };
  /** Fields that no request named in `asked` had. */
  readonly unsent?: readonly string[];
  /** Cookie fields of first requests; null for none. */
  readonly cookies?: Readonly<Record<string, string | null>>;
  readonly titles?: Readonly<Record<string, string>>;
  /** The crawl that meets it, or the test that proves it instead. @default 'open' */
  readonly crawl?: string;
  readonly source: string;
}

/** Crawls that play. */
export const CRAWLS = ['open', 'guarded'] as const;

/** All cases. */
export const HTTP_CASES = loadVectors<HttpCase>('http');

/** Is it played in a crawl, not proved elsewhere? */
export const isPlayed = ({ crawl = 'open' }: HttpCase): boolean =>
  (CRAWLS as readonly string[]).includes(crawl);

/** Outcomes that a case expects, by URL as the case writes it. */
export const expectedEnds = ({ seeds, disposition, code, also }: HttpCase) => ({
  [seeds?.[0] ?? '/']: [disposition, ...(code === null ? [] : [code])].join(' '),
  ...also,
});

/** A URL as a case writes it, made whole; userinfo stays. */
export function seedUrl(web: PlayedWeb, name: string, written: string): string {
  return (written.startsWith('/') ? `http://{host}${written}` : written)
    .replaceAll('{host}', `${name}.test`)
    .replaceAll('{name}', name)
    .replaceAll('{port}', String(web.portOf(name)));
}

/** The same as records name it. */
export function recordUrl(web: PlayedWeb, name: string, written: string): string {
  const url = new URL(seedUrl(web, name, written));
  url.username = '';
  url.password = '';
  return url.href;
}
