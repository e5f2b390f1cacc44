/** `orbweaver worker`: serve the crawls of these servers until told to stop. */
import { Option, type Command } from 'commander';
import { DEFAULT_TASK_QUEUE } from '../../contracts/task-queues.js';
import { ConfigError } from '../../errors.js';
import type { WorkerRole } from '../../workers/start-workers.js';
import { addServerFlags, type CliContext, type ServerFlags } from '../context.js';
import type { Engine } from '../engine.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { withInterrupts, type Interrupts } from '../interrupts.js';

interface WorkerFlags extends ServerFlags {
  readonly role: 'all' | WorkerRole;
  readonly taskQueue: string;
  readonly slots?: number;
}

const ROLES: Readonly<Record<WorkerFlags['role'], readonly WorkerRole[]>> = {
  all: ['workflow', 'fetch'],
  workflow: ['workflow'],
  fetch: ['fetch'],
};
const MAX_SLOTS = 10_000;
const SWEEP_EVERY_MS = 60 * 60_000;
const SWEEP_STEP = 10;

export function register(program: Command, ctx: CliContext): void {
  const command = program
    .command('worker')
    .description('serve the crawls of these servers until Ctrl-C or SIGTERM')
    .addOption(
      new Option('--role <role>', 'what to do: all, workflow (decide) or fetch (ask hosts)')
        .choices(Object.keys(ROLES))
        .default('all'),
    )
    .option('--task-queue <name>', 'queue of the workflows', queueArgument, DEFAULT_TASK_QUEUE)
    .option('--slots <n>', 'hosts asked at once by this process (default: 200)', slotsArgument);
  addServerFlags(command).action(
    ctx.action((flags: WorkerFlags) =>
      withInterrupts((interrupts) => work(ctx, interrupts, flags)),
    ),
  );
}

async function work(
  ctx: CliContext,
  interrupts: Interrupts,
  flags: WorkerFlags,
): Promise<ExitCode> {
  const { connectEngine } = await import('../engine.js');
  const { startWorkers } = await import('../../workers/start-workers.js');
  const { requireFitRedis } = await import('../redis-fitness.js');
  const { dataDir, slots, taskQueue } = flags;
  // A worker is a service: its warnings belong on stderr.
  const engine = await connectEngine(ctx, { dataDir, needsServers: true, verbose: true });
  try {
    // A crawl that needs BF.* is refused by itself; others may run without.
    await requireFitRedis(engine, { dedupe: 'exact' }, (line) => ctx.say(line));
    const workers = await startWorkers({
      connection: await engine.nativeConnection(),
      namespace: engine.namespace,
      redisUrl: engine.redisUrl,
      roles: ROLES[flags.role],
      taskQueue,
      ...(slots !== undefined && { slots }),
      onRedisError: sayOnce((line) => ctx.say(line)),
    });
    const stopSweeping = sweepHourly(engine, (line) => ctx.say(line));
    interrupts.arm();
    ctx.say(
      `worker: role ${flags.role}, task queue ${taskQueue}, Temporal ${engine.temporalAddress} ` +
        `(namespace ${engine.namespace}), Redis ${engine.redisDisplay}`,
    );
    const stopped = new Promise<void>((resolve) => {
      interrupts.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([stopped, workers.done]);
    stopSweeping();
    if (!interrupts.signal.aborted) throw new Error('the workers ended by themselves');
    ctx.say('worker: letting running pages finish… (again: at once)');
    await workers.shutdown();
    ctx.say('worker: stopped');
    return EXIT.ok;
  } finally {
    await engine.close();
  }
}

/** Let the frontiers of crawls go whose time to keep is over: now and every hour. */
function sweepHourly(engine: Engine, say: (line: string) => void): () => void {
  const sweep = async (): Promise<void> => {
    const { sweepExpired } = await import('../../frontier/crawl-directory.js');
    for (;;) {
      const removed = await sweepExpired(engine.redis, SWEEP_STEP);
      for (const crawlId of removed) say(`worker: frontier of ${crawlId} removed (keep is over)`);
      if (removed.length < SWEEP_STEP) return;
    }
  };
  // Redis is away: the next hour will do.
  const run = () => void sweep().catch(() => undefined);
  run();
  const timer = setInterval(run, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** A Redis that is away says so in every attempt to reconnect: the first one of each kind will do. */
function sayOnce(say: (line: string) => void): (error: Error) => void {
  let last = '';
  return ({ message }) => {
    if (message === last) return;
    last = message;
    say(`worker: Redis: ${message}`);
  };
}

/** @throws CONFIG_INVALID_OPTION */
export function slotsArgument(value: string): number {
  const slots = Number(value);
  if (Number.isInteger(slots) && slots >= 1 && slots <= MAX_SLOTS) return slots;
  throw new ConfigError(
    'CONFIG_INVALID_OPTION',
    `--slots: expected a whole number from 1 to ${MAX_SLOTS}, got "${value}"; for example 200`,
    { details: { field: 'slots' } },
  );
}

/** @throws CONFIG_INVALID_OPTION */
function queueArgument(value: string): string {
  if (value.trim() !== '') return value;
  throw new ConfigError(
    'CONFIG_INVALID_OPTION',
    `--task-queue: expected the name of a task queue, got "${value}"; for example ${DEFAULT_TASK_QUEUE}`,
    { details: { field: 'task-queue' } },
  );
}
