import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInspectCli } from './inspect-run.js';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'orbweaver-inspect-'));
  writeFileSync(join(dir, 'robots.txt'), 'User-agent: *\nDisallow: /private\nCrawl-delay: 2\n');
  writeFileSync(
    join(dir, 'page.html'),
    '<title>Start</title><a href=a>a</a><a rel=nofollow href=b>b</a>',
  );
  writeFileSync(
    join(dir, 'map.xml'),
    '<urlset><url><loc>https://a.test/1</loc><priority>0.8</priority></url></urlset>',
  );
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const inspect = (...args: string[]) => runInspectCli(args, [], dir);

describe('orbweaver inspect, for people', () => {
  it('tells what becomes of a link', async () => {
    const { stdout, stderr, exitCode } = await inspect(
      ...['url', '../a?utm_source=x', '--base', 'https://example.com/b/'],
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toBe(
      [
        'resolved           https://example.com/a?utm_source=x',
        'canonical          https://example.com/a',
        'fingerprint        2dce0a4c50441bfccfa9',
        'host key           example.com',
        'registered domain  example.com',
        '',
      ].join('\n'),
    );
  });

  it('says that a link is never crawled, and that text is no URL', async () => {
    expect((await inspect('url', 'mailto:a@b.test')).stdout).toMatch(/\nnever crawled: only http/);
    expect((await inspect('url', 'nowhere')).stdout).toMatch(/^no URL: .* needs --base <url>$/m);
    const onPage = await inspect('url', 'http://[', '--base', 'https://a.test/');
    expect(onPage.stdout).toBe('no URL: the crawl leaves such a link out\n');
    expect((await inspect('url', 'a:b', '--charset', 'klingon')).exitCode).toBe(2);
  });

  it('tells what robots.txt says of a URL', async () => {
    const { stdout } = await inspect('robots', 'robots.txt', '--url', 'https://a.test/private/x');
    expect(stdout).toMatch(/^forbidden to orbweaver: by the line "disallow: \/private"\n/i);
    expect(stdout).toMatch(/^crawl delay +2 s$/m);
    const open = await inspect('robots', 'robots.txt', '--url', 'https://a.test/', '--json');
    expect(JSON.parse(open.stdout)).toMatchObject({ allowed: true, rule: null, crawlDelay: 2 });
  });

  it('lists links and URLs of sitemaps, from a file or stdin', async () => {
    const page = await inspect('links', 'page.html', '--base', 'https://a.test/dir/');
    expect(page.stdout).toMatch(/^taken for +html$/m);
    expect(page.stdout).toMatch(/^title +Start$/m);
    expect(page.stdout).toMatch(/^links +2$/m);
    expect(page.stdout).toMatch(/^a +nofollow +https:\/\/a\.test\/dir\/b$/m);
    const map = await inspect('sitemap', 'map.xml', '--url', 'https://a.test/map.xml');
    expect(map.stdout).toMatch(/^1 URL, 0 sitemaps, 0 errors$/m);
    expect(map.stdout).toMatch(/ 0\.8 .*https:\/\/a\.test\/1$/m);
    const piped = await runInspectCli(
      ['links', '-', '--base', 'https://a.test/', '--json'],
      ['<a href', '=/x>'],
    );
    expect(JSON.parse(piped.stdout)).toMatchObject({ links: [{ url: 'https://a.test/x' }] });
  });

  it('says why there is no link in what is no HTML', async () => {
    const args = ['links', 'page.html', '--base', 'https://a.test/', '--content-type', 'image/png'];
    expect((await inspect(...args)).stdout).toMatch(/^no links: the crawl takes it for binary/);
  });

  it.each([
    [['robots', 'robots.txt'], '--url: is missing; give the address that is to be fetched'],
    [['links', 'page.html'], '--base: is missing; give the address that the page came from'],
    [['url'], 'argument: what to inspect is missing; name it, or give requests with --stdin'],
    [['url', '/x', '--stdin'], '--stdin: leaves no place for "/x"; give one'],
    [['url', '/x', '--canonical', 'case'], '--canonical: "case" is no rule; there are escapes, '],
    [['url', '--stdin', '--canonical', 'case'], '--canonical: "case" is no rule; there are '],
    [['robots', 'none.txt', '--url', 'https://a.test/'], "none.txt: can't be read, ENOENT"],
    [['robots', 'robots.txt', '--url', 'a.test/x'], 'url: "a.test/x" is no absolute URL. Give one'],
    [['sitemap', 'map.xml', '--url', 'ftp://a.test/'], 'only http and https are crawled'],
    [
      ['robots', '', '--url', 'https://a.test/'],
      'file: "" is no path; name a file, or - for stdin',
    ],
    [['url', '/x', '--base', 'a.test'], '--base: "a.test" is no absolute URL; give the address of'],
    [['url', '/x', '--charset', 'klingon'], '--charset: "klingon" is no encoding; give a label'],
    [['url', '/x', '--drop-parameters', 'a*b'], '--drop-parameters: "a*b" is no name; write it'],
    [['url', '/x', '--drop-parameters', ''], '--drop-parameters: "" is no name; write it like ref'],
    // Said once and without effect would be worse than refused.
    [
      ['url', '--stdin', '--base', 'https://a.test/'],
      '--base: has no effect with --stdin; say it in',
    ],
    [['url', '--stdin', '--charset', 'gbk'], 'say it in each request, as "documentCharset"'],
    [['robots', '--stdin', '--user-agent', 'x'], 'say it in each request, as "userAgent"'],
    [['links', '--stdin', '--content-type', 'a/b'], 'say it in each request, as "contentType"'],
    [['sitemap', '--stdin', '--url', 'https://a.test/'], 'say it in each request, as "url"'],
    [['pages'], "unknown command 'pages'"],
  ])('refuses %j and says what to do', async (args, message) => {
    const { stdout, stderr, exitCode } = await inspect(...args);
    expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  });
});
