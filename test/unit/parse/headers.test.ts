import { describe, expect, it } from 'vitest';
import { parseLinkHeader } from '../../../src/parse/links/link-header.js';
import { parseRefresh } from '../../../src/parse/links/meta-refresh.js';
import { parseDirectives, parseXRobotsTag } from '../../../src/parse/page/meta-robots.js';

describe('parseXRobotsTag', () => {
  it.each([
    [['noindex'], true, false],
    [['nofollow, noarchive'], false, true],
    [['NONE'], true, true],
    [['otherbot: noindex'], false, false],
    [['TestBot: noindex, nofollow'], true, true],
    [['otherbot: noindex, testbot: nofollow'], false, true],
    [['otherbot: noindex', 'nofollow'], false, true],
    [['unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow'], false, true],
    [['max-snippet: 5, noindex'], true, false],
    [['all'], false, false],
    [[], false, false],
  ])('%j: noindex=%s nofollow=%s', (values, noindex, nofollow) => {
    expect(parseXRobotsTag(values, 'testbot')).toEqual({ noindex, nofollow });
  });
});

describe('parseDirectives', () => {
  it('reads words, not parts of words', () => {
    expect(parseDirectives('noindexing;no follow')).toEqual({ noindex: false, nofollow: false });
    expect(parseDirectives(' NOINDEX ,, nofollow ')).toEqual({ noindex: true, nofollow: true });
  });
});

describe('parseLinkHeader (RFC 8288)', () => {
  it('reads several links a line, with quoted and bare parameters', () => {
    expect(
      parseLinkHeader([
        '<a,b>; rel="NEXT last"; title="x, <y>; rel=no", < c > ; rel=prev;rel=next',
        '<d>',
      ]),
    ).toEqual([
      { target: 'a,b', rel: ['next', 'last'] },
      { target: 'c', rel: ['prev'] },
      { target: 'd', rel: [] },
    ]);
  });

  it.each(['', 'a; rel=next', '<a', `<${'x'.repeat(20_000)}>`])('skips %.20s', (value) => {
    expect(parseLinkHeader([value])).toEqual([]);
  });

  it('reads hostile headers', () => {
    expect(parseLinkHeader(['<'.repeat(16_000), `<a>;b${'= '.repeat(8_000)}`])).toHaveLength(1);
  });
});

describe('parseRefresh (WHATWG HTML)', () => {
  it.each([
    ['5;url=/x', '/x'],
    ['5; URL = "/x y" z', '/x y'],
    ["0,url='/x", '/x'],
    ['.5 /x', '/x'],
    ['1.5.2;/x', '/x'],
    ['5', null],
    ['5;', null],
    ['5x', null],
    ['url=/x', null],
    ['٥;url=/x', null],
    ['-1;url=/x', null],
  ])('%j → %s', (content, url) => {
    expect(parseRefresh(content)).toBe(url);
  });
});
