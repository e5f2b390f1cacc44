/**
 * A small model of a crawl: which URLs are known and what became of each. Random operations run on
 * the real frontier; the model says which replies are possible and what the totals must be.
 */
import fc from 'fast-check';
import type { Completion, Frontier, TurnReply } from '../../../src/contracts/frontier.js';
import { discovered } from './builders.js';
import { askNextHosts, HostRun } from './drive.js';

const HOSTS = ['a', 'b'].map((name) => `${name}.example.com`);
const DAY_MS = 86_400_000;

/** One operation of a random sequence. */
export type Operation =
  | { kind: 'add'; host: number; first: number; count: number; level: number; sitemap: boolean }
  | { kind: 'nominate'; max: number }
  | { kind: 'lease'; host: number; waitMs: number }
  | { kind: 'complete'; host: number; outcome: Completion['outcome']; deadLetter: boolean }
  | { kind: 'completeAndRest'; host: number }
  | { kind: 'restart'; host: number }
  | { kind: 'block'; host: number }
  | { kind: 'drain'; host: number; steps: number }
  | { kind: 'requeue'; limit: number }
  | { kind: 'state'; state: 'paused' | 'running' | 'stopping' | 'finished' }
  | { kind: 'limits'; perHostLimit: number; maxPages: number; concurrency: number }
  | { kind: 'reopen'; overdue: boolean }
  | { kind: 'recount' };

const host = fc.nat(HOSTS.length - 1);
const small = (max: number) => fc.integer({ min: 1, max });

/** Any operation, those that make progress more often. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      host,
      first: fc.nat(20),
      count: small(6),
      level: fc.constantFrom(0, 7, 255),
      sitemap: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('nominate' as const), max: small(4) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('lease' as const),
      host,
      waitMs: fc.constantFrom(0, 0, 0, 5, DAY_MS),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('complete' as const),
      host,
      deadLetter: fc.boolean(),
      outcome: fc.constantFrom(
        'fetched' as const,
        'fetched' as const,
        'failed' as const,
        'skipped' as const,
        'retrying' as const,
        'released' as const,
        'redirected' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('completeAndRest' as const), host }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), host }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), host }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('drain' as const), host, steps: small(3) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('requeue' as const), limit: small(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      state: fc.constantFrom(
        'paused' as const,
        'running' as const,
        'running' as const,
        'stopping' as const,
        'finished' as const,
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('limits' as const),
      perHostLimit: fc.constantFrom(0, 1, 2, 4),
      maxPages: fc.constantFrom(0, 0, 0, 5),
      concurrency: small(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reopen' as const), overdue: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recount' as const) }) },
);

/** What is known of the crawl without asking it. */
export class CrawlModel {
  /** URL → open (queued or leased), or done. */
  readonly urls = new Map<string, 'open' | 'done' | 'dead'>();
  private readonly leases = new Map<string, string>();
  private readonly runs = new Map<string, HostRun>();
  private readonly frontier: Frontier;
  private turn = 0;

  constructor(frontier: Frontier) {
    this.frontier = frontier;
  }

  /** Do one operation, throwing where a reply contradicts what is known. */
  async apply(operation: Operation): Promise<void> {
    switch (operation.kind) {
      case 'add':
        return this.add(operation);
      case 'nominate':
        await askNextHosts(this.frontier, { max: operation.max });
        return;
      case 'lease': {
        const wait = { waitMs: operation.waitMs, reason: 'politeness' };
        return this.note(operation.host, await this.run(operation.host).lease({ wait }));
      }
      case 'complete':
        return this.complete(operation);
      case 'completeAndRest': {
        const url = this.leases.get(HOSTS[operation.host]!);
        if (url === undefined) return;
        await this.run(operation.host).complete(url, 'fetched', {}, { lease: false });
        this.finish(operation.host, url, 'done');
        return;
      }
      case 'restart':
        this.runs.delete(HOSTS[operation.host]!);
        return this.note(operation.host, await this.run(operation.host).lease());
      case 'block':
        return this.note(operation.host, await this.run(operation.host).lease({ block: 'gone' }));
      case 'drain':
        return this.drain(operation.host, operation.steps, 2);
      case 'requeue':
        await this.requeue(operation.limit);
        return;
      case 'state':
        await this.frontier.setState(operation.state).catch((error: { code?: string }) => {
          if (error.code !== 'FRONTIER_CRAWL_STATE') throw error;
        });
        return;
      case 'limits': {
        const { concurrency } = operation;
        const [perHostLimit, maxPages] = [
          operation.perHostLimit || null,
          operation.maxPages || null,
        ];
        await this.frontier.adjust({ perHostLimit, maxPages, concurrency });
        return;
      }
      case 'reopen':
        await this.frontier.reopen({ limit: 10, overdue: operation.overdue });
        return;
      case 'recount':
        return this.frontier.recount();
    }
  }

  /** Lift every limit and work everything off. @returns whether the crawl says that it is done */
  async finishAll(): Promise<boolean> {
    await this.frontier.adjust({ perHostLimit: null, maxPages: null, concurrency: 10 });
    await this.frontier.setState('running');
    await this.requeue(1000);
    await this.frontier.reopen({ limit: 10, overdue: true });
    for (let round = 0; round < 20; round += 1) {
      const next = await askNextHosts(this.frontier);
      if (next.isDone) return true;
      for (const { hostKey } of next.hosts) {
        const index = HOSTS.indexOf(hostKey);
        this.runs.delete(hostKey);
        this.note(index, await this.run(index).lease());
        while (this.leases.has(hostKey)) {
          await this.complete({ host: index, outcome: 'fetched', deadLetter: false });
        }
        await this.drain(index, 100, 50);
      }
    }
    return false;
  }

  private run(index: number): HostRun {
    const hostKey = HOSTS[index]!;
    let run = this.runs.get(hostKey);
    if (!run) {
      this.turn += 1;
      run = new HostRun(this.frontier, hostKey, { turn: this.turn });
      this.runs.set(hostKey, run);
    }
    return run;
  }

  private async add(operation: Operation & { kind: 'add' }): Promise<void> {
    const hostKey = HOSTS[operation.host]!;
    const urls = Array.from({ length: operation.count }, (_unused, n) =>
      discovered(hostKey, `p${operation.first + n}${operation.sitemap ? '.xml' : ''}`, {
        level: operation.level,
        kind: operation.sitemap ? 'sitemap' : 'page',
      }),
    );
    const fresh = urls.filter((url) => !this.urls.has(url.url));
    const { added, seen } = await this.frontier.addUrls(urls);
    if (added !== fresh.length || seen !== urls.length - fresh.length) {
      throw new Error(`added ${added} of ${fresh.length} new URLs`);
    }
    for (const { url } of fresh) this.urls.set(url, 'open');
  }

  private async complete(operation: {
    host: number;
    outcome: Completion['outcome'];
    deadLetter: boolean;
  }): Promise<void> {
    const hostKey = HOSTS[operation.host]!;
    const url = this.leases.get(hostKey);
    if (url === undefined) return;
    const { outcome } = operation;
    const deadLetter = outcome === 'failed' && operation.deadLetter;
    const more = { deadLetter, dueInMs: 0, bytes: 3 };
    const reply = await this.run(operation.host).complete(url, outcome, more);
    const isOpen = outcome === 'retrying' || outcome === 'released';
    this.finish(operation.host, url, isOpen ? 'open' : deadLetter ? 'dead' : 'done');
    this.note(operation.host, reply);
  }

  private finish(index: number, url: string, state: 'open' | 'done' | 'dead'): void {
    this.leases.delete(HOSTS[index]!);
    this.urls.set(url, state);
  }

  /** A lease must be on a URL that is open, and the same as before while there is one. */
  private note(index: number, reply: TurnReply): void {
    const hostKey = HOSTS[index]!;
    this.leases.delete(hostKey);
    if (reply.status === 'fenced') throw new Error('the newest turn is fenced');
    if (reply.status !== 'lease') return;
    const { url } = reply.item;
    if (this.urls.get(url) !== 'open') throw new Error(`leased ${url}: ${this.urls.get(url)}`);
    this.leases.set(hostKey, url);
  }

  private async drain(index: number, steps: number, limit: number): Promise<void> {
    let items: readonly { url: string }[] = [];
    const { claim } = this.run(index);
    for (let step = 0; step < steps; step += 1) {
      const before = (await this.frontier.status()).totals.deadLetters;
      const next = await this.frontier.drainHost(claim, items as never, limit);
      const gone = (await this.frontier.status()).totals.deadLetters - before;
      for (const { url } of items.slice(0, gone)) this.urls.set(url, 'dead');
      items = next;
      if (next.length === 0) return;
    }
  }

  private async requeue(limit: number): Promise<void> {
    const letters = await this.frontier.deadLetters({ offset: 0, limit });
    const count = await this.frontier.requeueDeadLetters(limit);
    if (count !== letters.length) throw new Error(`requeued ${count} of ${letters.length}`);
    for (const { url } of letters) this.urls.set(url, 'open');
  }
}
