/** Features that answer otherwise than with a page at once: redirects, cookies, failures, files. */
import { hostName } from './host-builder.js';
import type { HostBuilder } from './host-builder.js';
import type { RedirectResource } from './resource.js';

type RedirectStatus = RedirectResource['status'];

/** Add redirects, cookies, failures, early answers and files, as far as switched on. */
export function addTroubles(host: HostBuilder): void {
  const { features } = host.options;
  if (features.redirects) addRedirects(host);
  if (features.trailingSlash) addTrailingSlash(host);
  if (features.cookies) {
    host.page('/with-cookie', { needsCookie: true });
    host.linkTwice('/with-cookie');
    host.link('/with-cookie', host.url('/'));
  }
  if (features.missing) {
    host.add('/gone', { type: 'failure', status: 410 });
    host.linkTwice('/gone');
    host.add('/missing/page.html', { type: 'failure', status: 404 });
    host.linkTwice('/missing/page.html');
  }
  if (host.every(4, 1)) addSlowTroubles(host);
  if (features.files) addFiles(host);
}

function redirect(host: HostBuilder, path: string, status: RedirectStatus, target: string): void {
  const local = target.startsWith(`${host.origin}/`) && status !== 301;
  const location = local ? target.slice(host.origin.length) : target;
  host.add(path, { type: 'redirect', status, location, target });
}

function addRedirects(host: HostBuilder): void {
  const { options, index } = host;
  const nextHost = hostName(options, (index + 1) % options.hosts);
  redirect(host, '/r/moved', 301, host.url(host.somePage()));
  redirect(host, '/r/found', 302, host.url('/'));
  redirect(host, '/r/elsewhere', 307, `http://${nextHost}/`);
  redirect(host, '/r/elsewhere-for-good', 308, `http://${nextHost}/by-redirect`);
  redirect(host, '/r/chain-1', 302, host.url('/r/chain-2'));
  redirect(host, '/r/chain-2', 308, host.url('/end-of-chain'));
  redirect(host, '/r/loop-a', 302, host.url('/r/loop-b'));
  redirect(host, '/r/loop-b', 302, host.url('/r/loop-a'));
  redirect(host, '/r/to-missing', 302, host.url('/nothing-behind-redirect'));
  for (const path of ['moved', 'found', 'elsewhere', 'elsewhere-for-good', 'chain-1', 'loop-a']) {
    host.linkTwice(`/r/${path}`);
  }
  host.linkTwice('/r/to-missing');
  host.add('/nothing-behind-redirect', { type: 'failure', status: 404 });
  for (const path of ['/by-redirect', '/end-of-chain']) {
    host.page(path);
    host.link(path, host.url('/'));
  }
}

function addTrailingSlash(host: HostBuilder): void {
  redirect(host, '/docs', 301, host.url('/docs/'));
  host.linkTwice('/docs');
  host.page('/docs/');
  host.page('/docs/chapter');
  // Right only for a crawler that resolves against the address it was redirected to.
  host.link('/docs/', host.url('/docs/chapter'), { href: 'chapter' });
  host.link('/docs/chapter', host.url('/docs/'));
}

function addSlowTroubles(host: HostBuilder): void {
  const { features, flakyAnswers, flakyRetryAfterS, tooManyRetryAfterS } = host.options;
  if (features.flaky) {
    const early = { status: 503, count: flakyAnswers, retryAfterS: flakyRetryAfterS } as const;
    host.page('/flaky', { early });
    host.linkTwice('/flaky');
    host.page('/behind-flaky');
    host.link('/flaky', host.url('/behind-flaky'));
  }
  if (features.tooMany) {
    host.page('/busy', { early: { status: 429, count: 1, retryAfterS: tooManyRetryAfterS } });
    host.linkTwice('/busy');
  }
  if (features.broken) {
    host.add('/broken', { type: 'failure', status: 500 });
    host.linkTwice('/broken');
  }
}

function addFiles(host: HostBuilder): void {
  const files = [
    ['/files/report.pdf', 'application/pdf', 20_000],
    ['/files/readme.txt', 'text/plain; charset=utf-8', 900],
    ['/files/photo.png', 'image/png', 6_000],
  ] as const;
  for (const [path, contentType, bytes] of files) {
    host.add(path, { type: 'file', contentType, bytes });
    host.linkTwice(path);
  }
  host.add('/style.css', { type: 'file', contentType: 'text/css', bytes: 2_000 });
  for (const path of host.ordinary) host.pageAt(path).embeds.push('/style.css');
  host.pageAt('/').embeds.push('/files/photo.png');
}
