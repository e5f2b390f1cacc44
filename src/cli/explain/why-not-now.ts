/** Why a URL that waits is not fetched this very moment. Pure. */
import type { HostFacts } from '../../frontier/explain-host.js';
import { FINAL_STATES } from '../../frontier/crawl-directory.js';
import { formatCount, formatElapsed, plain } from '../display/format.js';
import type { UrlFacts } from './gather-facts.js';

/** What holds it up: the crawl first, then its host. A clause without full stop. */
export function whyNotNow({ status, host, hostKey }: UrlFacts, nowMs: number): string {
  const why = status.finishReason === null ? '' : ` (${status.finishReason})`;
  if (FINAL_STATES.includes(status.state)) {
    return `the crawl is ${status.state}${why}, and resume goes on with what is queued`;
  }
  if (status.state !== 'running') return `the crawl is ${status.state}${why}`;
  if (host === null) return `nothing is known of its host ${plain(hostKey)}`;
  return hostClause(host, hostKey, status.settings.perHostLimit, nowMs);
}

function hostClause(
  host: HostFacts,
  hostKey: string,
  perHostLimit: number | null,
  nowMs: number,
): string {
  const name = `its host ${plain(hostKey)}`;
  if (host.isBlocked) {
    return `${name} was out of reach for too long (${plain(host.reason ?? '')}), and what is queued is given up`;
  }
  if (host.isExhausted) {
    const limit = perHostLimit === null ? '' : ` of ${formatCount(perHostLimit)} pages`;
    return `${name} has reached its limit${limit} (--per-host-limit, also on resume)`;
  }
  const because = host.reason === null ? '' : `: ${plain(host.reason)}`;
  switch (host.state) {
    case 'waiting': {
      const inMs = (host.nextAtMs ?? nowMs) - nowMs;
      const next = inMs > 0 ? `, next fetch in ${formatElapsed(inMs + 999)}` : '';
      return `${name} waits${because}${next}`;
    }
    case 'active':
      return `${name} is being fetched, one page at a time`;
    case 'pending':
    case 'nominated':
      return `${name} waits for its turn (--concurrency hosts are fetched at once)`;
    case 'paused':
    case 'idle':
    case 'blocked':
    case 'exhausted':
      return `${name} is ${host.state}${because}`;
  }
}
