import { describe, expect, it } from 'vitest';
import { detectCharset, META_PRESCAN_BYTES } from '../../../../src/parse/charset/detect-charset.js';
import { createDecoder, decodeBody } from '../../../../src/parse/charset/encodings.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('detectCharset', () => {
  it.each([
    [
      'a byte order mark beats the header',
      latin1('\xef\xbb\xbfx'),
      'text/html; charset=iso-8859-1',
      'utf-8',
    ],
    ['UTF-16 by its mark', latin1('\xff\xfex\0'), null, 'utf-16le'],
    ['UTF-16, big end first, by its mark', latin1('\xfe\xff\0x'), null, 'utf-16be'],
    [
      'the header beats meta',
      latin1('<meta charset=koi8-r>'),
      'text/html; charset=euc-kr',
      'euc-kr',
    ],
    ['a quoted label in any case', latin1(''), 'Text/HTML;Charset="WINDOWS-1251"', 'windows-1251'],
    ['labels mean what browsers mean', latin1(''), 'text/html; charset=latin1', 'windows-1252'],
    [
      'an unknown label counts as none',
      latin1('<meta charset=koi8-r>'),
      'text/html; charset=klingon',
      'koi8-r',
    ],
    [
      'an empty label counts as none',
      latin1('<meta charset=koi8-r>'),
      'text/html; charset=',
      'koi8-r',
    ],
    ['meta charset', latin1('<html><meta charset="big5">'), 'text/html', 'big5'],
    [
      'meta http-equiv',
      latin1('<META http-equiv=Content-Type content="text/html; charset=gbk">'),
      null,
      'gbk',
    ],
    [
      'meta content alone says nothing',
      latin1('<meta content="text/html; charset=gbk">\xe9'),
      null,
      'windows-1252',
    ],
    [
      'a comment says nothing',
      latin1('<!--<meta charset=gbk>--><meta charset=big5>'),
      null,
      'big5',
    ],
    [
      'the prescan does not know scripts',
      latin1('<script>"<meta charset=gbk>"</script>\xe9'),
      null,
      'gbk',
    ],
    [
      'a script behind the prescan says nothing',
      latin1(`${' '.repeat(1024)}<script>"<meta charset=gbk>"</script>\xe9`),
      null,
      'windows-1252',
    ],
    ['meta after 1,024 bytes', latin1(`<!--${'x'.repeat(2000)}--><meta charset=gbk>`), null, 'gbk'],
    [
      'meta too far down',
      latin1(`${'x'.repeat(META_PRESCAN_BYTES)}<meta charset=gbk>\xe9`),
      null,
      'windows-1252',
    ],
    ['meta UTF-16 can only be UTF-8', latin1('<meta charset=utf-16le>'), null, 'utf-8'],
    [
      'an XML declaration',
      latin1('<?xml version="1.0" encoding="windows-1251"?>'),
      'application/xhtml+xml',
      'windows-1251',
    ],
    ['valid UTF-8 without a word', Buffer.from('é'), null, 'utf-8'],
    ['anything else', latin1('caf\xe9'), null, 'windows-1252'],
  ])('%s', (_fact, body, contentType, expected) => {
    expect(detectCharset(body, contentType)).toBe(expected);
  });
});

describe('decodeBody', () => {
  it('decodes windows-1252 with its punctuation', () => {
    expect(decodeBody(latin1('\x80 \x93a\x94 \xe9 \x81'), 'windows-1252')).toBe('€ “a” é \u0081');
  });

  it.each([
    ['big5', '\x87\x40\x88\x62\xa4\xa4', '\u43f0\u00ca\u0304\u4e2d'],
    ['euc-kr', '\x81\x41\xb0\xa1', '\uac02\uac00'],
    ['gbk', '\x80\xa2\xe3', '\u20ac\u20ac'],
    ['gb18030', '\x90\x30\x81\x30', '\u{10000}'],
    ['shift_jis', '\x1a\x1c\x7f\x82\xa0', '\x1a\x1c\x7f\u3042'],
    ['windows-874', '\xa1\xdb\xfc', '\u0e01\ufffd\ufffd'],
    ['koi8-u', '\xae\xbe', '\u045e\u040e'],
    ['iso-8859-16', '\xa1\xff', '\u0104\u00ff'],
    ['x-user-defined', 'a\x80\xff', 'a\uf780\uf7ff'],
    ['replacement', 'ab', '\ufffd'],
    ['klingon', '\xc3\xa9', '\u00e9'],
  ])('decodes %s by the index of the standard, where platforms differ', (name, bytes, text) => {
    expect(decodeBody(latin1(bytes), name)).toBe(text);
  });

  it('drops a byte order mark and replaces invalid bytes', () => {
    expect(decodeBody(latin1('\xef\xbb\xbfa\xffb'), 'utf-8')).toBe('a\ufffdb');
  });

  it.each([
    ['utf-8', Buffer.from('é€😀')],
    ['utf-16le', Buffer.from('é€😀', 'utf16le')],
    ['shift_jis', latin1('\x93\xfa\x96\x7b')],
    ['windows-1252', latin1('\x80\xe9')],
  ])('joins characters cut between chunks in %s', (charset, body) => {
    const decoder = createDecoder(charset);
    const pieces = [...body].map((byte, i) =>
      decoder.decode(Uint8Array.of(byte), i === body.length - 1),
    );
    expect(pieces.join('')).toBe(decodeBody(body, charset));
    expect(pieces.join('')).not.toContain('\ufffd');
  });
});
