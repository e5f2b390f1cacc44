/** Features by which a site tells crawlers what to do: robots.txt, sitemaps, nofollow, noindex. */
import type { HostBuilder } from './host-builder.js';

/** Add robots.txt, sitemaps, forbidden paths and nofollow, as far as switched on. */
export function addSiteRules(host: HostBuilder): void {
  const { features, crawlDelayS } = host.options;
  if (features.nofollow) addNofollow(host);
  if (features.robotsMissing && host.every(5, 4)) return;
  if (features.disallowed) addDisallowed(host);
  if (features.sitemaps) addSitemaps(host);
  if (crawlDelayS > 0 && host.every(4, 2)) host.crawlDelayS = crawlDelayS;
  addRobots(host);
}

function addRobots(host: HostBuilder): void {
  // Both line ends occur in the wild.
  const text = robotsLines(host).join(host.every(2, 1) ? '\r\n' : '\n') + '\n';
  if (host.options.features.robotsRedirect && host.every(7, 6)) {
    const target = host.url('/robots-moved.txt');
    host.add('/robots.txt', { type: 'redirect', status: 301, location: target, target });
    host.add('/robots-moved.txt', { type: 'robots', text });
  } else {
    host.add('/robots.txt', { type: 'robots', text });
  }
}

function robotsLines(host: HostBuilder): string[] {
  const { features, agentToken } = host.options;
  const rules = [
    ...(features.disallowed
      ? ['Disallow: /private/', 'Allow: /private/open/', 'Disallow: /*?session=  # any page']
      : ['Disallow:']),
    ...(host.crawlDelayS > 0 ? [`Crawl-delay: ${host.crawlDelayS}`] : []),
  ];
  const choosy = agentToken !== null && host.every(4, 3);
  return [
    `# robots of ${host.name}`,
    'User-agent: SomeOtherBot',
    'User-Agent: YetAnotherBot',
    'Disallow: /',
    '',
    ...(choosy ? [`User-agent: ${agentToken}`, ...rules, '', 'User-agent: *', 'Disallow: /'] : []),
    ...(choosy ? [] : ['user-agent: *', ...rules]),
    '',
    ...host.sitemaps.map((url) => `Sitemap: ${url}`),
  ];
}

function addDisallowed(host: HostBuilder): void {
  host.page('/private/', { disallowed: true });
  host.page('/private/accounts', { disallowed: true });
  host.page('/private/open/door');
  host.page('/list?session=4711', { disallowed: true });
  for (const path of ['/private/', '/private/accounts', '/private/open/door']) host.linkTwice(path);
  host.linkTwice('/list?session=4711');
  if (host.options.features.redirects) {
    const target = host.url('/private/by-redirect');
    host.page('/private/by-redirect', { disallowed: true });
    host.add('/r/private', { type: 'redirect', status: 302, location: target, target });
    host.linkTwice('/r/private');
  }
}

function addSitemaps(host: HostBuilder): void {
  const hidden = ['/only-in-sitemap/first', '/only-in-sitemap/second.html'];
  for (const path of hidden) {
    host.page(path);
    host.link(path, host.url('/'));
  }
  const known = host.ordinary.slice(0, 4);
  const urls = [...hidden, ...known].map((path) => host.url(path));
  host.sitemaps.push(host.url('/sitemap.xml'));
  if (!host.every(3, 0)) {
    host.add('/sitemap.xml', { type: 'sitemap', form: 'urls', gzip: false, entries: urls });
    return;
  }
  const parts = ['/sitemap-1.xml', '/sitemap-2.xml.gz'];
  const entries = parts.map((path) => host.url(path));
  host.add('/sitemap.xml', { type: 'sitemap', form: 'index', gzip: false, entries });
  parts.forEach((path, i) => {
    const part = urls.filter((_, at) => at % 2 === i);
    host.add(path, { type: 'sitemap', form: 'urls', gzip: i === 1, entries: part });
  });
}

function addNofollow(host: HostBuilder): void {
  host.page('/unfollowed/by-link');
  host.linkTwice('/unfollowed/by-link', true);
  host.page('/dead-end', { robotsMeta: 'nofollow' });
  host.linkTwice('/dead-end');
  host.page('/unfollowed/by-meta');
  host.link('/dead-end', host.url('/unfollowed/by-meta'));
  host.page('/unlisted', { robotsMeta: 'noindex, follow' });
  host.linkTwice('/unlisted');
  host.page('/behind-unlisted');
  host.link('/unlisted', host.url('/behind-unlisted'));
  host.page('/unlisted-by-header', { robotsHeader: 'noindex' });
  host.linkTwice('/unlisted-by-header');
}
