/** Signals, queries and updates of both workflows. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CrawlCommand, CrawlProgress, RefusedSeed } from '../contracts/crawl.js';
import type { HostProgress } from '../contracts/host.js';

/** Ends a host's wait early: there is work, or the crawl's state or settings changed. */
export const wakeSignal = defineSignal('wake');

/** What the host did, does next, and why not yet. */
export const hostProgressQuery = defineQuery<HostProgress>('progress');

export const crawlProgressQuery = defineQuery<CrawlProgress>('progress');

/** Pause, unpause, stop, change settings, requeue what was given up or held back; in order. */
export const commandSignal = defineSignal<[CrawlCommand]>('command');

/** The same, told when it is carried out or why it was refused. */
export const commandUpdate = defineUpdate<CrawlProgress, [CrawlCommand]>('carryOut');

/** Add seeds to a running crawl. */
export const addSeedsUpdate = defineUpdate<
  { added: number; refusedSeeds: readonly RefusedSeed[] },
  [{ seeds: readonly string[]; moreSeeds?: boolean }]
>('addSeeds');
