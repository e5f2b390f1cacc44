/** `orbweaver held`: URLs that are held back as crawl traps, each with its rule; and queueing them. */
import type { Command } from 'commander';
import type { HeldUrl } from '../../contracts/frontier.js';
import type { CliContext } from '../context.js';
import { KEPT_URLS_PAGE, registerKeptUrls } from '../control/kept-urls.js';
import { plain } from '../display/format.js';

export function register(program: Command, ctx: CliContext): void {
  registerKeptUrls<HeldUrl>(program, ctx, {
    command: 'held',
    description: 'list the URLs that are held back as crawl traps, or queue them after all',
    state: 'is held back',
    count: (totals) => totals.trapped,
    async *read(frontier) {
      for (let cursor: string | null = '0'; cursor !== null;) {
        const page = await frontier.heldUrls({ cursor, limit: KEPT_URLS_PAGE });
        yield* page.urls;
        ({ cursor } = page);
      }
    },
    groupOf: ({ rule }) => rule,
    groupName: 'rule',
    textOf,
    requeue: (frontier, most) => frontier.requeueHeld(most),
    resumeFlags: ({ traps }) =>
      traps
        ? { flags: ' --no-traps', why: ' (--no-traps: and suspect nothing further)' }
        : { flags: '', why: '' },
  });
}

/** `calendar  https://… (found on https://…)`. */
function textOf({ rule, url, via }: HeldUrl): string {
  const found = via === '' ? '' : `  (found on ${plain(via)})`;
  return `${rule.padEnd('maxHostsPerDomain'.length)}  ${plain(url)}${found}`;
}
