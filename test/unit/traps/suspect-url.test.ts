/** Traps by the shape of an address: what is suspected, what is held back, and above all what is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laterLevel, suspectUrl } from '../../../src/traps/suspect-url.js';

const NOW = Date.UTC(2026, 11, 1);
const SITE = 'https://site.test';
const suspect = (path: string, on = '/') => {
  const suspicion = suspectUrl(SITE + path, SITE + on, NOW);
  return suspicion === null ? null : `${suspicion.rule} ${suspicion.weight}`;
};
const repeat = (text: string, times: number) => Array.from({ length: times }, () => text).join('');
const count = (times: number, make: (n: number) => string, glue = '') =>
  Array.from({ length: times }, (_unused, n) => make(n)).join(glue);

describe('addresses of real sites are not suspected', () => {
  it.each([
    '/',
    '/2024/05/12/what-we-learned-from-a-year-of-outages',
    '/2024/05/12/',
    '/2024/05/',
    '/1999/01/01/slashdot-effect.html',
    '/1897/09/21/yes-virginia-there-is-a-santa-claus.html',
    '/archive/2027-06-01/keynote-of-next-year',
    '/blog/2026/12/01/2026-in-review-and-what-2030-may-bring',
    '/agenda-2030/goals',
    '/reports/2050-roadmap.pdf',
    '/en/en-us/',
    '/en/en-gb/help/en/article-12345',
    '/wiki/Talk:Main_Page/Archive_12',
    '/wiki/Special:WhatLinksHere/Template:Cite_web',
    '/w/index.php?title=Main_Page&action=history&offset=20240512101010&limit=500',
    '/dp/B08N5WRWNW/ref=sr_1_3?crid=2X1&keywords=usb+c+cable&qid=1700000000&sprefix=usb%2Caps%2C150&sr=8-3',
    '/p/extra-long-product-slug-with-every-word-of-the-name-of-the-thing-in-blue-size-xl-pack-of-12',
    '/questions/11227809/why-is-processing-a-sorted-array-faster-than-processing-an-unsorted-array',
    '/org/repo/blob/main/packages/core/src/test/java/com/example/core/test/CoreTest.java',
    '/org/repo/tree/5c245e0/packages/react/packages/shared',
    '/docs/api/java.base/java/util/concurrent/atomic/AtomicInteger.html',
    '/shop/women/shoes/sneakers/white/size-38/page-12',
    '/12/345/6789/12/345',
    '/users/1234/05/posts',
    '/images/0a/0a/3f/0a3f9c.jpg',
    '/avatars/000/000/012/345/original/me.png',
    '/a/b/a/b/a/b',
    '/part-1/chapter-2/section-3/figure-4',
    '/search?q=shoes&page=2',
    '/list?color=red&color=blue&color=green&size=38&size=39&brand=a&brand=b&sort=price',
    '/list?f%5B%5D=1&f%5B%5D=2&f%5B%5D=3&f%5B%5D=4&f%5B%5D=5&f%5B%5D=6&f%5B%5D=7&f%5B%5D=8&f%5B%5D=9',
    '/login?return=%2Faccount%2Forders%3Fpage%3D2',
    '/share?u=https%3A%2F%2Fsite.test%2Fa%3Fb%3Dc&title=A',
    '/web/20240512101010/https://example.com/http://other.example/',
    '/events?month=2027-03',
    '/events/2027/03/',
    '/calendar?year=2027&month=6&day=1',
    '/book?from=2027-01-03&to=2027-01-17',
    '/map?x=4021&y=3050&z=12',
    '/item?sid=12345',
    '/story?sid=20/05/12/1234567',
    '/jobs?id=3050-12&ref=2999-01',
    '/part/A3050-12-01B',
    '/%E6%97%A5%E6%9C%AC%E8%AA%9E/%E3%83%9A%E3%83%BC%E3%82%B8',
    '/file%252Fname.txt',
  ])('%s', (path) => {
    expect(suspect(path)).toBeNull();
  });

  it('filters that are added one by one, up to six of them', () => {
    const query = (n: number) => `/list?${count(n, (i) => `f${i}=${i}`, '&')}`;
    for (let n = 1; n <= 6; n += 1) expect(suspect(query(n), query(n - 1)), query(n)).toBeNull();
  });

  it('a query of many parameters that no page grew to', () => {
    expect(suspect(`/list?${count(12, (n) => `f${n}=${n}`, '&')}`)).toBeNull();
  });
});

describe('paths that repeat themselves', () => {
  it.each([
    ['one segment', `/a1${repeat('/deeper', 4)}/`],
    ['two in turn', `${repeat('/about/contact', 3)}`],
    ['mixed', '/shop/about/shop/help/about/shop/x'],
    ['with numbers that change', `/${count(6, (n) => `page${n}`, '/')}`],
    ['of a filter in the path', `/rent${repeat('/any', 4)}`],
  ])('%s: later', (_name, path) => {
    expect(suspect(path)).toBe('repeatedPath later');
  });

  it.each([
    ['one segment', repeat('/deeper', 9)],
    ['two in turn', repeat('/xx/yy', 6)],
    ['with numbers that change', `/${count(14, (n) => `page${n}`, '/')}`],
  ])('%s, to the extreme: held back', (_name, path) => {
    expect(suspect(path)).toBe('repeatedPath hold');
  });

  it('folders without end: later from 21 on, held back from 50 on', () => {
    // Names of letters, so that no two are one but for their numbers.
    const name = (n: number) => `${String.fromCharCode(97 + (n % 26))}${n < 26 ? 'x' : 'y'}`;
    const path = (n: number) => `/${count(n, name, '/')}`;
    expect([20, 21, 49, 50].map((n) => suspect(path(n)))).toEqual([
      null,
      'deepPath later',
      'deepPath later',
      'deepPath hold',
    ]);
  });
});

describe('queries that grow', () => {
  it.each([
    ['a pair twice', '/l?lang=en&x=1&lang=en', 'repeatedParameter later'],
    ['a pair four times', `/l?${repeat('lang=en&', 4)}`, 'repeatedParameter hold'],
    ['a name eight times', `/l?${count(8, (n) => `t=${n}`, '&')}`, 'repeatedParameter later'],
    ['a name 32 times', `/l?${count(32, (n) => `t=${n}`, '&')}`, 'repeatedParameter hold'],
  ])('%s', (_name, path, expected) => {
    expect(suspect(path)).toBe(expected);
  });

  it('all parameters of the page and more', () => {
    const query = (n: number) => `/list?${count(n, (i) => `f${i}=${i}`, '&')}`;
    expect(suspect(query(7), query(6))).toBe('growingQuery later');
    expect(suspect(query(20), query(19))).toBe('growingQuery hold');
    // In whatever order.
    const mixed = `/list?z=1&${count(6, (i) => `f${5 - i}=${5 - i}`, '&')}`;
    expect(suspect(mixed, query(6))).toBe('growingQuery later');
    // Not on another page, and not where something was taken away.
    expect(suspect(query(7), query(6).replace('list', 'other'))).toBeNull();
    expect(suspect(query(7), '/list?g=1')).toBeNull();
  });

  it('one value that gets longer', () => {
    const trail = (n: number) => `/list?trail=${count(n, (i) => `step${i}`, '.')}`;
    expect(suspect(trail(20), trail(19))).toBeNull();
    expect(suspect(trail(40), trail(39))).toBe('growingQuery later');
    expect(suspect(trail(160), trail(159))).toBe('growingQuery hold');
  });

  it('addresses within addresses', () => {
    const nested = (n: number): string =>
      n === 0 ? '/login' : `/login?return=${encodeURIComponent(nested(n - 1))}`;
    expect([1, 2, 3, 4, 5, 6].map((n) => suspect(nested(n)))).toEqual([
      null,
      null,
      'nestedUrl later',
      'nestedUrl later',
      'nestedUrl hold',
      'nestedUrl hold',
    ]);
    expect(suspect(`/login${repeat('?return=/login', 3)}`)).toBe('nestedUrl later');
    expect(suspect(`/login${repeat('?return=/login', 6)}`)).toBe('nestedUrl hold');
    expect(suspect('/go/https://a.test/https://b.test/https://c.test/x')).toBe('nestedUrl later');
  });
});

describe('calendars', () => {
  it.each([
    '/2031/05',
    '/2031/05/12/',
    '/events/2031-05-12',
    '/calendar/203105',
    '/events/month-2031-05/',
    '/1765/05/12',
    '/cal?date=2031-05-12',
    '/cal?month=2031-05',
    '/cal?day=20310512',
    '/cal?year=2031',
    '/cal?y=2031&m=5',
    '/cal?view=week&start=2031-5-1',
    '/cal?time=1999999999',
    '/cal?tribe-bar-date=1603-01-01',
  ])('%s: later', (path) => {
    expect(suspect(path)).toBe('calendar later');
  });

  it('goes by the clock', () => {
    const at = (year: number) => suspectUrl(`${SITE}/2031/05/12/`, SITE, Date.UTC(year, 0, 1));
    expect(at(2026)).not.toBeNull();
    expect(at(2030)).toBeNull();
  });
});

describe('numbers', () => {
  it.each([
    '/n$',
    '/p/$',
    '/article/$.html',
    '/item-$',
    '/?id=$',
    '/list?page=$',
    '/part-$',
    '/$/$',
  ])('in %s are no trap, however many', (form) => {
    const numbers = Array.from({ length: 20_000 }, (_, n) => String(n * 11));
    const suspected = numbers.filter((n) => suspect(form.replaceAll('$', n)) !== null);
    expect(suspected).toEqual([]);
  });
});

describe('session ids', () => {
  const TOKEN = '0123456789abcdef0123456789abcdef';
  it.each([
    `/page?PHPSESSID=${TOKEN}`,
    `/page;jsessionid=${TOKEN}?x=1`,
    `/page?sid=${TOKEN}&x=1`,
    `/page?x=1&session_id=${TOKEN}`,
    `/(S(lit3py55t21z5v55vlm25s55))/page.aspx`,
  ])('%s: later, unless the page had the same', (path) => {
    expect(suspect(path)).toBe('sessionId later');
    expect(suspect(path, `/other?sid=${'f'.repeat(31)}1`)).toBe('sessionId later');
    const on = path.replace('/page', '/other');
    expect(suspect(path, on)).toBeNull();
  });
});

describe('anything', () => {
  const letters = fc.constantFrom(
    'a',
    'b',
    '/',
    '?',
    '&',
    '=',
    '%',
    '25',
    '2F',
    '1',
    '2031',
    ';',
    '(S(',
  );
  const text = fc.array(letters, { maxLength: 400 }).map((parts) => parts.join(''));

  it('is answered, never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), text), fc.oneof(fc.string(), text), (one, other) => {
        for (const url of [one, `${SITE}/${one}`]) {
          const suspicion = suspectUrl(url, other, NOW);
          expect(['later', 'hold', undefined]).toContain(suspicion?.weight);
        }
      }),
    );
  });

  it('that is no longer than its page, has few segments, no query and no number is not suspected', () => {
    const word = fc.stringMatching(/^[a-z]{1,20}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3 }), (words) => {
        expect(suspect(`/${words.join('/')}`)).toBeNull();
      }),
    );
  });

  it('takes steps in proportion to its length, whatever it is made of', () => {
    // Quadratic work on a megabyte would take minutes: this must end within the test's time.
    const size = 1_000_000;
    for (const unit of [
      '/',
      '/ab',
      '/1',
      '&a=1',
      '&',
      '%25',
      '?',
      'http',
      '2031-05-',
      '/(S(',
      ';sid=',
      '.',
    ]) {
      const long = `${SITE}/${repeat(unit, size / unit.length)}`;
      const query = `${SITE}/?${repeat(unit, size / unit.length)}`;
      expect(suspectUrl(long, query, NOW)).not.toBeNull();
      expect(suspectUrl(query, long, NOW)).not.toBeNull();
    }
  });

  it('that is suspected comes later than anything that is not, up to the last level', () => {
    expect([0, 4, 127, 128, 255].map(laterLevel)).toEqual([128, 132, 255, 128, 255]);
  });
});
