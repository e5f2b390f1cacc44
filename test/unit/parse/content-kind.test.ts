import { describe, expect, it } from 'vitest';
import { contentKind } from '../../../src/parse/content-kind.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('contentKind', () => {
  it.each([
    ['text/html; charset=utf-8', 'x', 'html'],
    ['TEXT/HTML', '\0', 'html'],
    ['application/xhtml+xml', '', 'html'],
    ['application/xml', '<urlset>', 'xml'],
    ['application/rss+xml; charset=utf-8', '', 'xml'],
    ['image/svg+xml', '<svg>', 'binary'],
    ['text/plain', '<html>', 'text'],
    ['application/json', '{}', 'text'],
    ['application/ld+json', '{}', 'text'],
    ['text/css', '', 'text'],
    ['image/png', 'x', 'binary'],
    ['application/octet-stream', '<html>', 'binary'],
    ['text/html', '%PDF-1.7', 'binary'],
    ['text/html', '\x89PNG\r\n', 'binary'],
    ['text/html', '\xff\xd8\xff\xe0', 'binary'],
    ['text/html', 'GIF89a', 'binary'],
    ['text/plain', 'PK\x03\x04', 'binary'],
    [null, '\x1f\x8b', 'binary'],
    ['text/html', '\0\0\0\x20ftypmp42', 'binary'],
    [null, '\n <!DOCTYPE html>', 'html'],
    [null, '\xef\xbb\xbf<html >', 'html'],
    ['', '<p>x', 'html'],
    [null, '<pre>', 'text'],
    ['unknown/unknown', '<?xml version="1.0"?><rss>', 'xml'],
    [null, '<?xml version="1.0"?><html xmlns=', 'html'],
    [null, '<urlset xmlns=', 'xml'],
    ['html', '<title>x', 'html'],
    [null, 'plain words', 'text'],
    [null, 'a\0b', 'binary'],
    [null, '\xff\xfe<\0h\0t\0m\0l\0>\0', 'html'],
    [null, '', 'text'],
    ['text/plain, text/html', '', 'html'],
    ['text/html, */*', '', 'html'],
    ['image/png, text/html; charset=x', 'x', 'html'],
    ['text/html; x=", image/png"', '', 'html'],
    ['text/html charset=utf-8', '<p>x', 'html'],
  ])('%s with %j: %s', (contentType, head, kind) => {
    expect(contentKind(contentType, bytes(head))).toBe(kind);
  });
});
