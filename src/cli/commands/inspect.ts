/** `orbweaver inspect`: what the crawl makes of a URL, a robots.txt, a page or a sitemap. */
import type { Command } from 'commander';
import type { CliContext } from '../context.js';
import type { InspectFlags } from '../inspect/inspect-flags.js';
import type { InspectKind } from '../inspect/run-inspect.js';

export function register(program: Command, ctx: CliContext): void {
  const inspect = program
    .command('inspect')
    .description('show what the crawl makes of a URL, a robots.txt, a page or a sitemap');
  /** One kind, with the flags that all have. */
  const add = (kind: InspectKind, argument: string, about: string, description: string): Command =>
    inspect
      .command(kind)
      .description(description)
      .argument(`[${argument}]`, about)
      .option('--json', 'a line of JSON on stdout instead of text')
      .option('--stdin', 'a JSON request a line on stdin, a JSON answer a line on stdout')
      .action(
        ctx.action(async (given: string | undefined, flags: InspectFlags) => {
          const { runInspect } = await import('../inspect/run-inspect.js');
          await runInspect(ctx, kind, given, flags);
        }),
      );
  add('url', 'href', 'URL, or what stands in a link', 'how a link is resolved, and its key')
    .option('--base <url>', 'page that the link stands on')
    .option('--charset <label>', 'encoding of that page (default: utf-8)')
    .option('--canonical <rule>', 'RULE or no-RULE: which URLs are one page, repeatable', collect)
    .option(
      '--drop-parameters <name>',
      'query parameter that chooses no content, repeatable',
      collect,
    );
  add('robots', 'file', 'robots.txt; - reads stdin', 'whether a robots.txt allows a URL')
    .option('--url <url>', 'URL that is to be fetched')
    .option('--user-agent <name>', 'crawler that asks (default: orbweaver)');
  add('links', 'file', 'page; - reads stdin', 'the links of a page and what it says to crawlers')
    .option('--base <url>', 'URL that the page came from')
    .option('--content-type <type>', 'Content-Type header that it came with (default: none)')
    .option('--robots-agent <name>', 'crawler that meta robots may name (default: orbweaver)')
    .option('--embeds', 'images, scripts, style sheets and media too')
    .option('--forms', 'actions of forms that are sent by GET too')
    .option('--text-links', 'URLs that stand in plain text too');
  add('sitemap', 'file', 'sitemap, also gzip; - reads stdin', 'the URLs of a sitemap or feed')
    .option('--url <url>', 'URL that the sitemap came from')
    .option('--content-type <type>', 'Content-Type header that it came with (default: none)');
}

function collect(value: string, values: readonly string[] | undefined): readonly string[] {
  return [...(values ?? []), value];
}
