/** Which hosts are worth a line, and what it says. Pure. */
import type { HostStatus } from '../../contracts/frontier.js';
import { bar, fit, formatCount, formatElapsed, plain } from './format.js';

const BAR_CELLS = 10;
const NAME_CELLS = 32;
/** A wait that is shorter is the ordinary crawl delay of a host that is at work. */
const NOTABLE_WAIT_MS = 3000;

/** Hosts at work, those that make an ordinary crawl delay too; those that fetched most first. */
export function busiestHosts(
  hosts: readonly HostStatus[],
  nowMs: number,
  limit: number,
): HostStatus[] {
  return hosts
    .filter((host) => host.state === 'active' || host.queued > 0)
    .filter((host) => !isHeldUp(host) || isShortWait(host, nowMs))
    .sort((a, b) => b.fetched - a.fetched || b.queued - a.queued)
    .slice(0, limit);
}

/** Hosts that have work and can't go on now, the longest queues first. */
export function heldUpHosts(
  hosts: readonly HostStatus[],
  nowMs: number,
  limit: number,
): HostStatus[] {
  return hosts
    .filter((host) => isHeldUp(host) && !isShortWait(host, nowMs))
    .sort((a, b) => b.queued - a.queued || a.hostKey.localeCompare(b.hostKey))
    .slice(0, limit);
}

/** `docs.example.com  ██████░░░░  60 of 100  /guide/intro` */
export function busyLine(host: HostStatus, width: number): string {
  const done = host.fetched + host.redirected + host.skipped + host.failed;
  const all = done + host.queued;
  const head = `${nameCell(host, width)}  ${bar(all === 0 ? 0 : done / all, BAR_CELLS)}`;
  const counts = `${formatCount(done)} of ${formatCount(all)}`.padEnd(16);
  const url = host.leasedUrl === null ? '' : pathOf(host.leasedUrl);
  const line = `${head}  ${counts}  `;
  return line + fit(plain(url), Math.max(0, width - line.length));
}

/** `www.example.com  12 queued  Retry-After, next in 42s` */
export function heldUpLine(host: HostStatus, nowMs: number, width: number): string {
  const name = nameCell(host, width);
  return fit(`${name}  ${formatCount(host.queued)} queued  ${whyNotYet(host, nowMs)}`, width);
}

/** Why a host does not go on now, and when it will. */
export function whyNotYet(host: HostStatus, nowMs: number): string {
  const reason = plain(host.reason ?? host.state);
  if (host.state !== 'waiting' || host.nextAtMs === null) {
    return host.state === 'waiting' ? reason : `${host.state}${host.reason ? `: ${reason}` : ''}`;
  }
  const inMs = host.nextAtMs - nowMs;
  return inMs > 0 ? `${reason}, next in ${formatElapsed(inMs + 999)}` : `${reason}, next now`;
}

function isHeldUp(host: HostStatus): boolean {
  return host.state === 'waiting' || host.state === 'blocked' || host.state === 'paused';
}

function isShortWait(host: HostStatus, nowMs: number): boolean {
  if (host.state !== 'waiting') return false;
  return host.nextAtMs !== null && host.nextAtMs - nowMs < NOTABLE_WAIT_MS;
}

function nameCell(host: HostStatus, width: number): string {
  const cells = Math.min(NAME_CELLS, Math.floor(width / 3));
  return fit(host.hostKey, cells).padEnd(cells);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
