/**
 * One turn on a host: lease → robots → gate → fetch → store → parse → add → complete and lease the
 * next, for one page or, where the delay is short or hosts are many, for several. Every step is idempotent under
 * (owner, turn, attempt), in this order: what is stored may be stored again, never lost.
 */
import { ApplicationFailure } from '@temporalio/activity';
import type { TurnResult } from '../contracts/activities.js';
import type { Claim, Completion, HostWait, TurnReply } from '../contracts/frontier.js';
import type { CrawlContext } from './crawl-context.js';
import type { CrawlStore } from './deps.js';
import { drainBlockedHost } from './drain-blocked-host.js';
import { GatedFetcher, type Pace } from './gated-fetch.js';
import { RobotsOfTurn } from './robots-of-turn.js';
import { pageStep } from './turn-steps/page-step.js';
import { knownRobots, robotsStep } from './turn-steps/robots-step.js';
import { recordOf, type StepEnd, type TurnScope } from './turn-steps/turn-scope.js';
import { turnPace, type TurnPace } from './turn-pace.js';
import type { TurnRun } from './turn-run.js';

export class Turn {
  private readonly run: TurnRun;
  private readonly store: CrawlStore;
  private readonly claim: Claim;
  private readonly gated: GatedFetcher;
  private readonly startedAt = performance.now();
  private seq = 0;
  private requests = 0;

  constructor(run: TurnRun) {
    const { input, attempt, signal } = run;
    this.run = run;
    const store = run.deps.crawl(input.crawlId);
    this.store = { ...store, robots: new RobotsOfTurn(store.robots) };
    this.claim = { hostKey: input.hostKey, owner: input.owner, turn: input.turn, attempt };
    const holder = `${input.crawlId}/${input.owner}/${input.turn}/${attempt}`;
    this.gated = new GatedFetcher(run.deps, { crawlId: input.crawlId, holder, signal });
  }

  async take(): Promise<TurnResult> {
    let reply = await this.store.frontier.completeAndLease({ claim: this.claim });
    for (;;) {
      if (reply.status !== 'lease') return this.end(reply);
      const taken = await this.step(reply);
      const { step, pace } = taken;
      this.requests += step.requests;
      const isLast = this.isSpent(pace, taken.context.settings.turn.maxPages);
      const wait = step.wait ?? this.restAfter(pace, isLast);
      reply = await this.record(taken, wait);
      if (isLast || step.wait) return this.end(reply, wait, step.wait !== undefined);
    }
  }

  private async step(
    reply: TurnReply & { status: 'lease' },
  ): Promise<{ step: StepEnd; pace: TurnPace; context: CrawlContext }> {
    const { item } = reply;
    this.run.signal.throwIfAborted();
    this.run.tally.url = item.url;
    const context = await this.run.contexts.of(this.store, reply.version);
    const scope: TurnScope = {
      deps: this.run.deps,
      store: this.store,
      context,
      input: this.run.input,
      attempt: this.claim.attempt,
      gated: this.gated,
      signal: this.run.signal,
      item,
      hostFailures: reply.hostFailures,
      failingForMs: reply.failingForMs,
    };
    const robots = await knownRobots(scope);
    const crawlDelayMs = robots?.rules?.crawlDelayMs(context.settings.robotsAgent) ?? null;
    const pace = turnPace(context.settings, crawlDelayMs, reply.activeHosts);
    return { step: await this.takeStep(scope, pace, robots), pace, context };
  }

  private isSpent(pace: TurnPace, maxPages: number): boolean {
    const elapsedMs = performance.now() - this.startedAt;
    if (elapsedMs >= pace.turnMaxMs || this.run.deps.isDraining()) return true;
    return this.requests > 0 && (pace.isDurable || this.requests >= maxPages);
  }

  private async takeStep(
    scope: TurnScope,
    pace: Pace,
    robots: Awaited<ReturnType<typeof knownRobots>>,
  ): Promise<StepEnd> {
    const { item, context } = scope;
    if (robots === null) return robotsStep(scope, pace);
    const verdict = robots.rules?.isAllowed(item.url, context.settings.robotsAgent);
    if (verdict?.allowed === false) {
      const reason = 'robotsTxt';
      return {
        requests: 0,
        delayMs: pace.delayMs,
        completion: { url: item.url, outcome: 'skipped', reason },
        record: recordOf(scope, { outcome: 'skipped', reason }),
      };
    }
    return pageStep(scope, pace);
  }

  /** Store, add, complete: in this order. */
  private async record(
    { step, context }: { step: StepEnd; context: CrawlContext },
    wait: HostWait | undefined,
  ): Promise<TurnReply> {
    const { frontier } = this.store;
    const { completion } = step;
    if (step.record) {
      await this.run.deps.sink(frontier.crawlId, context.settings).append([step.record]);
    }
    let unlisted = 0;
    if (step.discovered && step.discovered.length > 0) {
      const textDigest = completion?.textDigest;
      const page = textDigest && { hostKey: this.claim.hostKey, textDigest };
      ({ unlisted } = await frontier.addUrls(step.discovered, page || undefined));
    }
    const isRecord = completion !== undefined || step.hostOutcome !== undefined;
    if (isRecord) this.seq += 1;
    const reply = await frontier.completeAndLease({
      claim: this.claim,
      ...(isRecord && { seq: this.seq }),
      ...(completion && { completion: withUnlisted(completion, unlisted) }),
      ...(step.hostOutcome && { hostOutcome: step.hostOutcome }),
      ...(step.block !== undefined && { block: step.block }),
      ...(wait && { wait }),
      // The next attempt leases for itself.
      ...(step.retry && { lease: false }),
    });
    if (completion) this.run.tally.add(completion);
    if (step.retry && reply.status === 'done') throw retryFailure(step.retry);
    return reply;
  }

  /** The wait after the last request of a turn, where it is the workflow's to make. */
  private restAfter(pace: TurnPace, isLastOfTurn: boolean): HostWait | undefined {
    if (!isLastOfTurn || this.requests === 0 || !pace.isDurable) return undefined;
    return { waitMs: pace.delayMs, reason: pace.delayReason };
  }

  private async end(reply: TurnReply, wait?: HostWait, isTrouble = false): Promise<TurnResult> {
    const result = {
      waitMs: 0,
      reason: null,
      nextUrl: null,
      queued: 0,
      ...this.run.tally.result(),
    };
    switch (reply.status) {
      case 'lease':
        return {
          ...result,
          status: isTrouble ? 'wait' : 'more',
          waitMs: wait?.waitMs ?? 0,
          reason: wait?.reason ?? null,
          nextUrl: reply.item.url,
          queued: reply.queued + 1,
        };
      case 'wait':
        // A retry may be due before the host has rested.
        return { ...result, status: 'wait', ...longerWait(reply, wait) };
      case 'paused':
        return { ...result, status: 'paused', reason: reply.reason };
      case 'blocked': {
        const left = await drainBlockedHost(this.run, this.store, this.claim, reply);
        const counted = this.run.tally.result();
        return { ...result, ...counted, status: 'blocked', reason: reply.reason, queued: left };
      }
      case 'fenced':
        return { ...result, status: 'fenced', fencedBy: { owner: reply.owner, turn: reply.turn } };
      case 'stopped':
        return { ...result, status: 'stopped', reason: `the crawl is ${reply.state}` };
      case 'idle':
      case 'noPlace':
      case 'exhausted':
        return { ...result, status: reply.status };
      case 'done':
        // Only asked for without a lease, by a step that fails: take() does not come here.
        return { ...result, status: 'more' };
    }
  }
}

function longerWait({ waitMs, reason }: HostWait, own?: HostWait): HostWait {
  return own && own.waitMs > waitMs ? own : { waitMs, reason };
}

/** What the frontier holds back as a trap it counts itself, unless its list of those is full. */
function withUnlisted(completion: Completion, unlisted: number): Completion {
  if (unlisted === 0) return completion;
  const rejected = { ...completion.rejected, trap: (completion.rejected?.trap ?? 0) + unlisted };
  return { ...completion, rejected };
}

function retryFailure({ code, message, retryMs }: NonNullable<StepEnd['retry']>) {
  return ApplicationFailure.create({ message, type: code, nextRetryDelay: retryMs });
}
