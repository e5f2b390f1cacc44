/** `orbweaver dead-letters`: URLs that were given up and may be tried again, with their reasons. */
import type { Command } from 'commander';
import type { DeadLetter } from '../../contracts/frontier.js';
import type { CliContext } from '../context.js';
import { KEPT_URLS_PAGE, registerKeptUrls } from '../control/kept-urls.js';
import { plain } from '../display/format.js';

export function register(program: Command, ctx: CliContext): void {
  registerKeptUrls<DeadLetter>(program, ctx, {
    command: 'dead-letters',
    description: 'list the URLs that were given up and may be tried again, or queue them again',
    state: 'was given up that may be tried again',
    count: (totals) => totals.deadLetters,
    async *read(frontier) {
      for (let offset = 0; ; offset += KEPT_URLS_PAGE) {
        const letters = await frontier.deadLetters({ offset, limit: KEPT_URLS_PAGE });
        yield* letters;
        if (letters.length < KEPT_URLS_PAGE) return;
      }
    },
    groupOf: ({ reason }) => plain(reason),
    groupName: 'reason',
    textOf: ({ reason, url, attempts }) =>
      `${plain(reason)}  ${plain(url)}${attempts > 0 ? `  (${attempts + 1} tries)` : ''}`,
    requeue: (frontier, most) => frontier.requeueDeadLetters(most),
  });
}
