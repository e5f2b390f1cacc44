/** Commands of people, carried out by the parent: change the record, then wake who sleeps. */
import type { CrawlCommand } from '../contracts/crawl.js';
import { frontierActivities } from './activity-proxies.js';
import { wakeHost } from './ensure-host.js';

/** Signals in flight at once; a workflow may have 2,000. */
const SIGNAL_STEP = 50;

/** Carry out one command; a refused one (the crawl is over already) changes nothing. */
export async function carryOut(crawlId: string, command: CrawlCommand): Promise<void> {
  const { changeCrawl } = frontierActivities();
  switch (command.kind) {
    case 'pause':
      await changeCrawl({ crawlId, state: 'paused' });
      break;
    case 'unpause':
      await changeCrawl({ crawlId, state: 'running' });
      // Its paused hosts are pending again: they wake as any other host does.
      return;
    case 'stop':
      await changeCrawl({ crawlId, state: 'stopping', finishReason: 'stopped' });
      break;
    case 'adjust':
      await changeCrawl({ crawlId, options: command.options });
      break;
    case 'requeueDeadLetters':
      await changeCrawl({ crawlId, requeueDeadLetters: true });
      return;
  }
  await forEachLiveHost(crawlId, (hostKey) => wakeHost(crawlId, hostKey));
}

/** Do something with every host that may be running, a bounded number at a time. */
export async function forEachLiveHost(
  crawlId: string,
  act: (hostKey: string) => Promise<unknown>,
): Promise<void> {
  const { liveHosts } = frontierActivities();
  for (let after = ''; ;) {
    const hosts = await liveHosts({ crawlId, after });
    for (let from = 0; from < hosts.length; from += SIGNAL_STEP) {
      await Promise.all(hosts.slice(from, from + SIGNAL_STEP).map(act));
    }
    const last = hosts.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
