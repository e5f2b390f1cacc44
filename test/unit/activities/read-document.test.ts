import { describe, expect, it } from 'vitest';
import type { CrawlSettings } from '../../../src/contracts/settings.js';
import type { FetchResponse } from '../../../src/fetch/fetch-types.js';
import { readDocument } from '../../../src/activities/turn-steps/read-document.js';
import type { TurnScope } from '../../../src/activities/turn-steps/turn-scope.js';
import { compileScope } from '../../../src/url/scope.js';
import { crawlSettings } from '../../support/frontier/builders.js';

const URL_ = 'http://site.test/d/p';

function read(
  body: string,
  changes: Partial<CrawlSettings> = {},
  response: Partial<FetchResponse> = {},
  hops = 'L',
) {
  const settings = crawlSettings({ scope: 'host', ...changes });
  const context = {
    ...{ crawlId: 'c', version: 1, settings },
    scope: compileScope(['http://site.test/'], settings),
  };
  const item = { url: URL_, kind: 'page', depth: 1, hops, via: '', attempts: 0 } as const;
  const scope = {
    context,
    item,
    input: { owner: 'o', turn: 1 },
    attempt: 1,
  } as unknown as TurnScope;
  return readDocument(scope, {
    ...{ status: 200, contentType: 'text/html', headers: {}, url: URL_, location: null },
    ...{ body: Buffer.from(body), wireBytes: body.length, truncated: false, bodyRead: true },
    ...{ remoteAddress: null, httpVersion: '1.1', startedAtMs: 0, durationMs: 1 },
    ...response,
  } as FetchResponse);
}

const PAGE =
  '<meta name=robots content=nofollow><a href=/a>x</a><img src=/i.png><img src=http://cdn.test/i.png>';

describe('what a page embeds', () => {
  it('is left alone by default', async () => {
    const { discovered } = await read('<img src=/i.png><a href=/a>x</a>');
    expect(discovered?.map(({ url, hops, depth }) => [url, hops, depth])).toEqual([
      ['http://site.test/a', 'LL', 2],
    ]);
  });

  it('is offered at the depth of the page, within scope, whatever nofollow says of links', async () => {
    const { discovered, completion } = await read(PAGE, { embeds: true });
    expect(discovered?.map(({ url, hops, depth }) => [url, hops, depth])).toEqual([
      ['http://site.test/i.png', 'LE', 1],
    ]);
    expect(completion).toMatchObject({ rejected: { nofollow: 1, outOfScope: 1 } });
  });

  it('is fetched, not skipped, though it is no page; redirects on the way change nothing', async () => {
    const image = { contentType: 'image/png' };
    for (const hops of ['LE', 'LER']) {
      const { record } = await read('\x89PNG', { embeds: true }, image, hops);
      expect(record).toMatchObject({ outcome: 'fetched', reason: null, bytes: 5 });
    }
    const { record } = await read('\x89PNG', { embeds: true }, image);
    expect(record).toMatchObject({ outcome: 'skipped', reason: 'unsupportedType' });
  });

  it('leads to what a style sheet loads', async () => {
    const css = { contentType: 'text/css' };
    const { discovered, record } = await read('@import "a.css"', { embeds: true }, css, 'LE');
    expect(discovered?.map(({ url, hops }) => [url, hops])).toEqual([
      ['http://site.test/d/a.css', 'LEE'],
    ]);
    expect(record).toMatchObject({ outcome: 'fetched', links: 1, title: null, textDigest: null });
  });
});

describe('the record of a page', () => {
  it('says when the page was not read to its end', async () => {
    expect((await read('<a href=/a>')).record).toMatchObject({ truncated: false });
    const cut = await read('<a href=/a>', {}, { truncated: true });
    expect(cut.record).toMatchObject({ truncated: true, links: 1 });
    const links = Array.from({ length: 200_001 }, (_, i) => `<a href=/${i}>`).join('');
    const { record, completion } = await read(links);
    expect(record).toMatchObject({ truncated: true, links: 200_000 });
    expect(completion).toMatchObject({ rejected: { trap: 1 } });
  });

  it('counts links of forms, texts and headers where they are wanted', async () => {
    const page = '<form action=/f></form>http://site.test/t';
    const headers = { link: ['</n>; rel=next'], refresh: ['0;url=/r'] };
    expect((await read(page, {}, { headers })).record).toMatchObject({ links: 2 });
    const all = await read(page, { forms: true, textLinks: true }, { headers });
    expect(all.discovered?.map(({ url }) => url)).toEqual(
      ['f', 't', 'n', 'r'].map((name) => `http://site.test/${name}`),
    );
  });
});
