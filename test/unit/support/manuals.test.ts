import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { comparePages, htmlPages } from '../../support/manuals/compare-pages.js';
import { findManuals, MANUAL_SOURCES, missingManuals } from '../../support/manuals/find-manuals.js';
import { startStaticServer } from '../../support/manuals/start.js';
import type { StaticServer } from '../../support/manuals/start.js';
import { hasWget, wgetMirrorLog } from '../../support/manuals/wget-mirror.js';

const wgetIsHere = await hasWget();
const folder = mkdtempSync(join(tmpdir(), 'manuals-test-'));
const site = join(folder, 'site');
const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

/** Each target is named after the way that leads to it; those below `no/` are not to be found. */
const INDEX = `<html><head><link rel=next href=link-rel.html>
<script>document.write('<a href="script.html">x</a>')</script></head><body>
<!-- <a href=no/comment.html>x</a> --><textarea><a href=textarea.html>x</a></textarea>
<A HREF='folder'>x</A> <a href="a/./b/../dotted.html#f">x</a> <a href=" trimmed.html ">x</a>
<a href="with%20space.html">x</a> <a href="%7etilde.html">x</a> <a href="query.html?a=1&amp;b=2">x</a>
<a href="\\back.html">x</a> <a href="caf&eacute;.html">x</a> <a href=data.txt>x</a> <a href=dead.html>x</a>
<svg><a xlink:href=no/svg.html>x</a></svg></body></html>`;
const PAGES = [
  'link-rel.html',
  'script.html',
  'no/comment.html',
  'textarea.html',
  'folder/index.html',
  'a/dotted.html',
  'trimmed.html',
  'with space.html',
  '~tilde.html',
  'query.html',
  'back.html',
  'café.html',
  'no/svg.html',
];

let server: StaticServer;
beforeAll(async () => {
  write('secret.html', 'not served');
  write('site/index.html', INDEX);
  for (const page of PAGES) write(`site/${page}`, '<p>page</p>');
  write('site/data.txt', '<a href="/no/text.html">');
  server = await startStaticServer(site);
});
afterEach(async () => {
  await server.clearLog();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('static server', () => {
  const ask = async (path: string): Promise<(string | number | null)[]> => {
    const response = await fetch(server.origin + path, { redirect: 'manual' });
    await response.arrayBuffer();
    const { headers } = response;
    return [response.status, headers.get('content-type'), headers.get('location')];
  };

  it.each([
    ['/', [200, 'text/html', null]],
    ['/index.html?x=1', [200, 'text/html', null]],
    ['/folder', [301, null, '/folder/']],
    ['/folder?x=1', [301, null, '/folder/?x=1']],
    ['/folder/', [200, 'text/html', null]],
    ['/with%20space.html', [200, 'text/html', null]],
    ['/data.txt', [200, 'text/plain', null]],
    ['/a/', [404, 'text/plain', null]],
    ['/index.html/', [404, 'text/plain', null]],
    ['/..%2fsecret.html', [404, 'text/plain', null]],
    ['/%ff', [400, 'text/plain', null]],
  ])('answers %s with %j', async (path, expected) => {
    expect(await ask(path)).toEqual(expected);
  });

  it('logs what was asked, HTML as pages', async () => {
    for (const path of ['/index.html', '/data.txt', '/folder', '/dead.html']) await ask(path);
    const log = await server.log();
    expect(log.map(({ path, kind, status }) => [path, kind, status])).toEqual([
      ['/index.html', 'page', 200],
      ['/data.txt', 'other', 200],
      ['/folder', 'other', 301],
      ['/dead.html', 'other', 404],
    ]);
    expect(htmlPages(log)).toEqual(new Set(['/index.html']));
  });
});

describe.skipIf(!wgetIsHere)('wget as second opinion (left out without wget)', () => {
  it('finds what it is known to find, and nothing else', async () => {
    const { log } = await wgetMirrorLog(server, '/');
    expect([...htmlPages(log)].sort()).toEqual([
      '/',
      '/a/dotted.html',
      '/folder/',
      '/link-rel.html',
      '/query.html?a=1&b=2',
      '/script.html',
      '/textarea.html',
      '/trimmed.html',
      '/with%20space.html',
      '/~tilde.html',
    ]);
    const others = log.filter(({ status }) => status === 404).map(({ path }) => path);
    expect(others.sort()).toEqual(['/%5Cback.html', '/caf&eacute;.html', '/dead.html']);
  });

  it('is told when it does not end in time', async () => {
    await expect(wgetMirrorLog(server, '/', 1)).rejects.toThrow('within 1 ms');
  });
});

describe('comparison of pages', () => {
  it('shows what only one has, whatever the escapes', async () => {
    const get = async (...paths: string[]) => {
      await server.clearLog();
      for (const path of paths) await (await fetch(server.origin + path)).arrayBuffer();
      return await server.log();
    };
    const ours = await get('/', '/~tilde.html', '/back.html', '/data.txt');
    const wget = await get('/', '/%7etilde.html', '/link-rel.html', '/dead.html');
    expect(comparePages(ours, wget)).toEqual({
      onlyOurs: ['/back.html'],
      onlyWget: ['/link-rel.html'],
    });
  });
});

describe('manuals', () => {
  it('are found where packages put them, of the newest version', () => {
    for (const version of ['14', '15']) {
      write(`doc/postgresql-doc-${version}/html/index.html`, 'manual');
    }
    const [manual, ...others] = findManuals(join(folder, 'doc'));
    expect(others).toEqual([]);
    expect(manual?.root).toBe(join(folder, 'doc/postgresql-doc-15/html'));
    expect(missingManuals(join(folder, 'doc'))).toMatch(/ git-doc sqlite3-doc$/);
  });

  it('are missing on a machine without documents', () => {
    expect(findManuals(join(folder, 'nowhere'))).toEqual([]);
    expect(missingManuals(join(folder, 'nowhere'))).toContain('apt-get install');
  });

  const installed = wgetIsHere ? findManuals() : [];
  it.each(MANUAL_SOURCES.filter(({ name }) => installed.some((one) => one.name === name)))(
    'hold hundreds of pages that wget fetches in bounded time: $name',
    async ({ name }) => {
      const manual = installed.find((one) => one.name === name);
      const real = await startStaticServer(manual?.root ?? '');
      try {
        const { log } = await wgetMirrorLog(real, manual?.start ?? '', 60_000);
        expect(htmlPages(log).size).toBeGreaterThan(200);
      } finally {
        await real.stop();
      }
    },
    90_000,
  );
});
