/** Endless parts of a web, one kind each: what its pages say and where they lead. */
import { createHash } from 'node:crypto';

/** A page that is part of a trap. */
export interface TrapPage {
  readonly text: string;
  /** As written in `href`. */
  readonly links: readonly string[];
}

/** One kind of trap. */
export interface TrapKind {
  /** Where it begins, linked from every real page of its host. */
  readonly entrance: string;
  /** What an address of the trap answers; null where it belongs to something else. */
  page(url: URL): TrapPage | null;
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Letters that nobody can foresee and everybody gets again. */
export const letters = (seed: string): string =>
  createHash('sha256')
    .update(seed)
    .digest('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)
    .slice(0, 10);
const token = (seed: string): string =>
  createHash('sha256').update(seed).digest('hex').slice(0, 32);

let visits = 0;

/** Kinds by the name of their host. */
export const TRAP_KINDS = {
  /** Relative links where the server takes any path: three ways to go on from each page. */
  paths: {
    entrance: '/t/',
    page: (url) =>
      url.pathname.startsWith('/t/')
        ? {
            text: 'Our people like their work and so would you.',
            links: ['about/', 'team/', 'jobs/'],
          }
        : null,
  },
  deeper: {
    entrance: '/deeper/',
    page: (url) =>
      url.pathname.startsWith('/deeper/')
        ? { text: 'There is more below.', links: ['deeper/'] }
        : null,
  },
  /** `/a/` links to `b/c.html`, and what is not there answers with the same page. */
  broken: {
    entrance: '/a/',
    page: (url) =>
      url.pathname.startsWith('/a/') ? { text: 'Page of parts', links: ['b/c.html'] } : null,
  },
  /** Filters that can be added for ever. */
  query: {
    entrance: '/list?sort=asc',
    page: (url) => {
      if (url.pathname !== '/list') return null;
      const n = url.searchParams.size;
      const links = ['x', 'y', 'z'].map(
        (letter) => `${url.pathname}${url.search}&${letter}${n}=${n}`,
      );
      return { text: 'Choose what you look for.', links };
    },
  },
  /** A list with filters by four names, every order of them an address of its own. */
  orders: {
    entrance: '/facets',
    page: (url) => {
      if (url.pathname !== '/facets') return null;
      const free = ['a', 'b', 'c', 'd'].filter((name) => !url.searchParams.has(name));
      const links = free.flatMap((name) =>
        [1, 2, 3, 4, 5].map((value) => `/facets${url.search || '?'}&${name}=${value}`),
      );
      return { text: 'Narrow it down.', links: links.map((link) => link.replace('?&', '?')) };
    },
  },
  calendar: {
    entrance: '/cal/2026/12',
    page: (url) => {
      const [, year, month] = /^\/cal\/(\d+)\/(\d+)$/.exec(url.pathname) ?? [];
      if (year === undefined || month === undefined) return null;
      const at = Number(year) * 12 + Number(month) - 1;
      const to = (n: number) =>
        `/cal/${Math.floor(n / 12)}/${String((n % 12) + 1).padStart(2, '0')}`;
      const name = MONTHS[at % 12] ?? '';
      return {
        text: `${name} ${year}: no events on Monday, no events on Friday`,
        links: [to(at + 1), to(at - 1), to(at + 12)],
      };
    },
  },
  /** Ten pages that get a new session with each visit. */
  sessions: {
    entrance: '/s/0',
    page: (url) => {
      const [, n] = /^\/s\/(\d)$/.exec(url.pathname) ?? [];
      if (n === undefined) return null;
      visits += 1;
      const sid = token(`${visits}`);
      const links = Array.from({ length: 10 }, (_unused, to) => `/s/${to}?sid=${sid}`);
      return { text: `Shelf ${'abcdefghij'[Number(n)]!.repeat(3)} of the shop`, links };
    },
  },
  /** Whatever is not there answers 200 with the same words and links made up at random. */
  soft: {
    entrance: '/gone',
    page: (url) => ({
      text: `Sorry, we could not find ${url.pathname}. Try one of these:`,
      links: Array.from({ length: 5 }, (_unused, n) => `/x${letters(url.pathname + n)}`),
    }),
  },
  /** Items that differ in number and date only. */
  near: {
    entrance: '/item/1',
    page: (url) => {
      const [, id] = /^\/item\/(\d+)$/.exec(url.pathname) ?? [];
      if (id === undefined) return null;
      const n = Number(id);
      const date = `${1 + (n % 28)} ${MONTHS[n % 12]} ${2000 + (n % 26)}`;
      return {
        text: `Item ${n} of the store, in stock since ${date}`,
        links: [n + 1, n * 2, n * 3].map((to) => `/item/${to}`),
      };
    },
  },
  /** A return address within a return address. */
  nested: {
    entrance: '/login?return=%2F',
    page: (url) =>
      url.pathname === '/login'
        ? {
            text: 'Please log in.',
            links: [`/login?return=${encodeURIComponent(url.pathname + url.search)}`],
          }
        : null,
  },
} as const satisfies Record<string, TrapKind>;

/** Name of a kind, and of its host. */
export type TrapName = keyof typeof TRAP_KINDS;

/** A page of a host that exists because any name does: it links to more of them. */
export function wildcardPage(host: string, domain: string): TrapPage {
  const names = Array.from({ length: 4 }, (_unused, n) => `${letters(host + n)}.${domain}`);
  return {
    text: `Welcome to ${host}, one of many.`,
    links: names.map((name) => `http://${name}/`),
  };
}
