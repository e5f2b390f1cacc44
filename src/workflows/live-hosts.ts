/** Every host that may be running: woken or cancelled, a bounded number at a time. */
import { frontierActivities } from './activity-proxies.js';
import { cancelHost, wakeHost } from './ensure-host.js';

/** Signals in flight at once; a workflow may have 2,000. */
const SIGNAL_STEP = 50;

/** Wake all: the crawl's state or settings changed. */
export function wakeLiveHosts(crawlId: string): Promise<void> {
  return forEachLiveHost(crawlId, (hostKey) => wakeHost(crawlId, hostKey));
}

/** Cancel all: each gives its lease back and ends. */
export function cancelLiveHosts(crawlId: string): Promise<void> {
  return forEachLiveHost(crawlId, (hostKey) => cancelHost(crawlId, hostKey));
}

async function forEachLiveHost(
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
