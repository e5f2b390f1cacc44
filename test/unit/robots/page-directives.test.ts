/** What a page and its headers tell crawlers, in every way in which it is written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../../src/parse/page/html.js';
import {
  isMetaRobotsFor,
  parseDirectives,
  parseXRobotsTag,
} from '../../../src/parse/page/meta-robots.js';

const NONE = { noindex: false, nofollow: false };
const BOTH = { noindex: true, nofollow: true };
const NOINDEX = { noindex: true, nofollow: false };
const NOFOLLOW = { noindex: false, nofollow: true };

describe('X-Robots-Tag', () => {
  it.each([
    ['names a crawler by a directive each', ['testbot: noindex, testbot: nofollow'], BOTH],
    ['names two crawlers', ['otherbot: none, testbot: nofollow'], NOFOLLOW],
    ['goes back to another crawler', ['testbot: noindex, otherbot: nofollow'], NOINDEX],
    ['has a version behind the name', ['otherbot/2.1: noindex'], NONE],
    ['has a version behind our name', ['TestBot/2.1: noindex'], NOINDEX],
    ['speaks to everybody by a star', ['*: noindex'], NOINDEX],
    ['speaks to everybody by name', ['robots: nofollow'], NOFOLLOW],
    [
      'comes several times, for others and for all',
      ['otherbot: none', 'noindex', 'x: none'],
      NOINDEX,
    ],
    ['has a name that ours begins with', ['test: none'], NONE],
    ['has a name that begins with ours', ['testbot-image: none'], NONE],
    ['has blanks around the colon', [' testbot :  noindex '], NOINDEX],
    ['has semicolons', ['noindex; nofollow'], BOTH],
    [
      'has a date without a comma',
      ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex'],
      NOINDEX,
    ],
    [
      'has a date with commas',
      ['unavailable_after: Friday, 25-Jun-10, 15:00:00 UTC, nofollow'],
      NOFOLLOW,
    ],
    ['has a date of ISO 8601', ['unavailable_after: 2010-06-25T15:00:00+02:00, none'], BOTH],
    [
      'has a date for somebody else',
      ['otherbot: unavailable_after: Fri, 25 Jun 2010 15:00:00 UTC, none'],
      NONE,
    ],
    ['has directives with values', ['max-snippet:-1, max-image-preview:large, noindex'], NOINDEX],
    ['has a value for a crawler', ['testbot: max-snippet: 50, nofollow'], NOFOLLOW],
    ['has a directive with a colon', ['noarchive: yes, nofollow'], NOFOLLOW],
    ['has unknown directives', ['noai, noimageai, whatever'], NONE],
    ['allows in vain what it forbids', ['noindex', 'index, all'], NOINDEX],
    ['is empty', ['', ',', ':', ': noindex'], NOINDEX],
  ])('that %s: %j', (_name, values, expected) => {
    expect(parseXRobotsTag(values, 'testbot')).toEqual(expected);
  });

  it('restricts no less when a line is added, whatever the lines', () => {
    const word = fc.constantFrom(
      ...[
        'noindex',
        'nofollow',
        'none',
        'all',
        'testbot',
        'otherbot',
        'unavailable_after',
        '15:00',
      ],
      ...[':', ',', ';', ' ', '*', '\u00fc', '\0'],
    );
    const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), line, (lines, more) => {
        const before = parseXRobotsTag(lines, 'testbot');
        const after = parseXRobotsTag([...lines, more], 'testbot');
        expect(after.noindex || !before.noindex).toBe(true);
        expect(after.nofollow || !before.nofollow).toBe(true);
      }),
    );
  });
});

describe('meta robots', () => {
  const page = (markup: string) =>
    parseHtml(Buffer.from(markup), {
      url: 'https://h.example/',
      contentType: 'text/html; charset=utf-8',
      robotsAgent: 'TestBot',
    });

  it.each([
    ['in any case', '<META NAME="ROBOTS" CONTENT="NoIndex, NOFOLLOW">', BOTH],
    ['with the content first', '<meta content=none name=robots>', BOTH],
    ['for this crawler', '<meta name="testbot" content="noindex">', NOINDEX],
    ['for another crawler', '<meta name="googlebot" content="noindex,nofollow">', NONE],
    [
      'for all and for this one',
      '<meta name=robots content=index><meta name=testbot content=nofollow>',
      NOFOLLOW,
    ],
    ['twice', '<meta name=robots content=noindex><meta name=robots content=nofollow>', BOTH],
    ['in the body', '<body><p>x<meta name=robots content=nofollow></p>', NOFOLLOW],
    ['with blanks for commas', '<meta name=" robots " content=" noindex nofollow ">', BOTH],
    ['with entities', '<meta name=robots content="no&#105;ndex">', NOINDEX],
    ['as a property', '<meta property=robots content=noindex>', NONE],
    ['within a comment', '<!-- <meta name=robots content=none> -->', NONE],
    ['within a script', '<script>"<meta name=robots content=none>"</script>', NONE],
    ['within a template', '<template><meta name=robots content=none></template>', NONE],
    ['that allows all', '<meta name=robots content=all>', NONE],
    [
      'with a date',
      '<meta name=robots content="unavailable_after: Fri, 25 Jun 2010 15:00:00 UTC">',
      NONE,
    ],
  ])('%s: %s', async (_name, markup, expected) => {
    expect(await page(markup)).toMatchObject(expected);
  });

  it('adds up with the headers', async () => {
    const read = await parseHtml(Buffer.from('<meta name=robots content=noindex>'), {
      url: 'https://h.example/',
      contentType: 'text/html',
      xRobotsTag: ['nofollow'],
      robotsAgent: 'testbot',
    });
    expect(read).toMatchObject(BOTH);
  });

  it.each(['nofollow', 'UGC', 'sponsored', 'noopener  nofollow', 'external\tsponsored'])(
    'rel=%s keeps one link from being followed',
    async (rel) => {
      const { links } = await page(`<a href=/1 rel="${rel}">1</a><a href=/2 rel=noopener>2</a>`);
      expect(links.map(({ nofollow }) => nofollow)).toEqual([true, false]);
    },
  );
});

describe('words', () => {
  it('are whole words', () => {
    expect(parseDirectives('noindexing, no-follow, nonevent')).toEqual(NONE);
    expect(isMetaRobotsFor('robotsbot', 'testbot')).toBe(false);
    expect(isMetaRobotsFor('Robots', 'testbot')).toBe(true);
    expect(isMetaRobotsFor('TESTBOT', 'testbot')).toBe(true);
  });
});
