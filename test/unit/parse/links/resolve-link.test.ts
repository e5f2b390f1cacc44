import { describe, expect, it } from 'vitest';
import { resolveLink } from '../../../../src/parse/links/resolve-link.js';

const base = 'http://h.example/d/?x';

describe('resolveLink (WHATWG URL, query state)', () => {
  it.each([
    ['utf-8', '/é?é#é', 'http://h.example/%C3%A9?%C3%A9'],
    ['utf-16le', '?é', 'http://h.example/d/?%C3%A9'],
    ['windows-1252', '/é?é€&a=b', 'http://h.example/%C3%A9?%E9%80&a=b'],
    ['windows-1252', ' ?é ', 'http://h.example/d/?%E9'],
    ['windows-1252', '#?é', 'http://h.example/d/?x'],
    ['windows-1252', 'http://bücher.example?é', 'http://xn--bcher-kva.example/?%E9'],
    ['windows-1252', '?п', 'http://h.example/d/?%26%231087%3B'],
    ['windows-1252', '?😀', 'http://h.example/d/?%26%23128512%3B'],
    ['windows-1252', '?é"\'<>', 'http://h.example/d/?%E9%22%27%3C%3E'],
    ['windows-1251', '?Привет', 'http://h.example/d/?%CF%F0%E8%E2%E5%F2'],
    ['koi8-r', '?п', 'http://h.example/d/?%D0'],
    ['gbk', '?中文', 'http://h.example/d/?%D6%D0%CE%C4'],
    ['big5', '?搜尋', 'http://h.example/d/?%B7j%B4M'],
    ['euc-kr', '?검색', 'http://h.example/d/?%B0%CB%BB%F6'],
    ['euc-jp', '?検索', 'http://h.example/d/?%B8%A1%BA%F7'],
    ['shift_jis', '?検索', 'http://h.example/d/?%8C%9F%8D%F5'],
    ['iso-2022-jp', '?a検b', 'http://h.example/d/?a%1B$B8!%1B(Bb'],
    ['iso-2022-jp', '?a\x0eb', 'http://h.example/d/?a%26%2365533%3Bb'],
    ['windows-1252', '?a\x0eb', 'http://h.example/d/?a%0Eb'],
    ['iso-2022-jp', '?\x1b検', 'http://h.example/d/?%26%2365533%3B%1B$B8!%1B(B'],
    ['big5', '?香港\u{20021}', 'http://h.example/d/?%AD%BB%B4%E4%26%23131105%3B'],
    ['windows-1252', '? é\n', 'http://h.example/d/?%20%E9'],
    ['windows-1252', '?é\u00a0', 'http://h.example/d/?%E9%A0'],
    ['windows-1252', '?é #f', 'http://h.example/d/?%E9%20'],
    ['windows-1252', '?é\ud800', 'http://h.example/d/?%E9%26%2365533%3B'],
    ['x-user-defined', '?\uf7e9é', 'http://h.example/d/?%E9%26%23233%3B'],
    ['replacement', '?é', 'http://h.example/d/?%C3%A9'],
    ['windows-1252', 'mailto:é?é', null],
    ['windows-1252', 'http://[?é', null],
  ])('in %s: %j → %s', (charset, href, url) => {
    expect(resolveLink(href, base, charset)).toBe(url);
  });
});
