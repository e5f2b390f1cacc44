/** Sites, a domain each, that play what other crawlers were reported to get wrong; one crawl meets all. */
import { newDomain, type Answer } from '../../integration/workflows/web.js';

/** What the hosts of these sites answer, by path; and where the crawl starts. */
export interface Site {
  readonly domain: string;
  readonly paths: Readonly<Record<string, Answer>>;
  readonly seeds: readonly string[];
}

const site = (
  paths: (domain: string) => Readonly<Record<string, Answer>>,
  seedsOf = (domain: string): readonly string[] => [`http://${domain}/`],
): Site => {
  const domain = newDomain();
  return { domain, paths: paths(domain), seeds: seedsOf(domain) };
};

/** A file of another type than HTML. */
export const file = (body: string | Buffer, type = 'text/plain'): Answer => ({
  headers: { 'content-type': type },
  body,
});
/** A redirect. */
export const redirectTo = (location: string): Answer => ({ status: 302, headers: { location } });

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const xml = (body: string): Answer => file(body, 'application/xml');
const urlset = (inside: string): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`;
const loc = (url: string): string => `<url><loc>${url}</loc></url>`;

/** Fields of the requests for pages of the site with a password in its links. */
export const passwordHeads: Record<string, unknown>[] = [];
/** The password: it may turn up nowhere. */
export const PASSWORD = 'geheim-4711';

/** A path that is longer than some parsers hold. */
export const LONG_PATH = `/${'long'.repeat(1250)}`;

/** Out of scope: whoever is asked for anything here was asked in error. */
const outside = site(
  () => ({ '/': ['/1', '/2', '/3'], '/1': 'x', '/2': 'x', '/3': 'x', '/entity': 'x' }),
  () => [],
);

/** By what each is about. */
export const SITES = {
  outside,
  queryAfterHost: site((d) => ({ '/': [`http://${d}?171`, '/?171'], '/?171': 'x' })),
  userinfo: site(
    (d) => ({
      '/': ({ headers }) => {
        passwordHeads.push(headers);
        return [`http://me:${PASSWORD}@${d}/a`, `http://${d}/a`];
      },
      '/a': ({ headers }) => {
        passwordHeads.push(headers);
        return 'x';
      },
    }),
    (d) => [`http://me:${PASSWORD}@${d}/`],
  ),
  apostrophes: site((d) => ({
    '/robots.txt': file(`Sitemap: http://${d}/s.xml\nSitemap: http://${d}/s.txt`),
    '/s.xml': xml(urlset(loc(`http://${d}/map's*1`))),
    '/s.txt': file(`http://${d}/list's*2\n`),
    '/': `<a href="/it's*here">x</a> see http://${d}/text's*too.`,
    "/it's*here": 'x',
    "/text's*too": 'x',
    "/map's*1": 'x',
    "/list's*2": 'x',
  })),
  baseWithoutScheme: site((d) => ({
    '/': `<base href="//${d}/x/"><a href="y">y</a>`,
    '/x/y': 'x',
  })),
  longHref: site(() => ({
    '/': `<a href="${LONG_PATH}">x</a><a href="/${'far'.repeat(9000)}">x</a>`,
    [LONG_PATH]: 'x',
  })),
  newsIds: site(() => ({
    '/': ['/a?newsId=1', '/a?newsId=2'],
    '/a?newsId=1': 'one',
    '/a?newsId=2': 'two',
  })),
  latin1Robots: site(() => ({
    '/robots.txt': file(latin1('# caf\xe9\nUser-agent: *\nDisallow: /caf\xe9\nDisallow: /x\n')),
    '/': ['/x', '/ok'],
    '/ok': 'x',
  })),
  longRobotsLine: site(() => ({
    '/robots.txt': file(
      `User-agent: *\nDisallow: /before\nDisallow: /${'y'.repeat(590_000)}\nDisallow: /after\n`,
    ),
    '/': ['/before', '/after'],
    '/after': 'x',
  })),
  robotsGroups: site((d) => ({
    '/robots.txt': file(
      'User-agent: orbweaver\nCrawl-delay: 0\nUser-agent: friend\nDisallow: /d\nDisallow:\n' +
        `Disallow: /e\nUser-agent: other\nDisallow: /\nSitemap: http://${d}/last.xml\n`,
    ),
    '/last.xml': xml(urlset(loc(`http://${d}/listed`))),
    '/': ['/d', '/e', '/f'],
    '/f': 'x',
    '/listed': 'x',
  })),
  klingonCharset: site(() => ({
    '/': file(
      latin1('<meta charset=windows-1251><title>\xcc\xe8\xf0</title>'),
      'text/html; charset=klingon',
    ),
  })),
  byteOrderMark: site(() => ({
    '/': file('\ufeff<title>café</title>', 'text/html; charset=iso-8859-1'),
  })),
  leavingSeed: site(() => ({ '/': redirectTo(`http://${outside.domain}/`) })),
  refreshByBase: site(() => ({
    '/': '<base href=/b/><meta http-equiv=refresh content="0; url=n">',
    '/b/n': 'x',
  })),
  mergingRedirects: site(
    () => ({
      '/one': redirectTo('/bn'),
      '/two': redirectTo('/bn'),
      '/bn': (_request, times) =>
        times === 1 ? { status: 503, headers: { 'retry-after': '1' } } : 'bn',
    }),
    (d) => [`http://${d}/one`, `http://${d}/two`],
  ),
  brokenEscapes: site(() => ({ '/': ['/%zz', '/%', '/ok'], '/%zz': 'x', '/%': 'x', '/ok': 'x' })),
  sitemaps: site((d) => ({
    '/robots.txt': file(
      ['pretty', 'entities', 'blank', 'far', 'cut', 'unbalanced']
        .map((name) => `Sitemap: http://${d}/${name}.xml\n`)
        .join(''),
    ),
    '/': 'x',
    '/pretty.xml': xml(urlset(loc(`\n  http://${d}/pretty\n`))),
    '/entities.xml': xml(
      `<!DOCTYPE urlset [<!ENTITY a SYSTEM "http://${outside.domain}/entity">` +
        `<!ENTITY b SYSTEM "file:///etc/hostname">]>${urlset(loc(`http://${d}/e?&a;&b;`))}`,
    ),
    '/blank.xml': xml(`\n  <?xml version="1.0"?>${urlset(loc(`http://${d}/blank`))}`),
    '/far.xml': xml(urlset(loc(`http://${outside.domain}/1`))),
    '/cut.xml': xml(`<urlset>${loc(`http://${d}/cut`)}<url><loc>http://${d}/half`),
    '/unbalanced.xml': xml(`<urlset><url><loc>http://${d}/unbalanced</url></loc></x></urlset>`),
    '/pretty': 'x',
    '/blank': 'x',
    '/cut': 'x',
    '/unbalanced': 'x',
  })),
} satisfies Record<string, Site>;
