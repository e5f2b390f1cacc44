/** The command line as tests run it: processes with groups of their own, and their JSON. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PageRecord } from '../../../src/contracts/urls.js';
import { isAlive, spawnCli, waitFor, type CliProcess } from '../chaos.js';

/** The built command line; ORBWEAVER_TEST_CLI names another build of it. */
const CLI = resolve(process.env['ORBWEAVER_TEST_CLI'] ?? 'dist/cli/main.js');

/** Nothing of the caller's own servers or settings reaches a test. */
const NO_SETTINGS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(TEMPORAL_|REDIS_URL$|ORBWEAVER_)/.test(name))
    .map((name) => [name, undefined]),
);

/** The last line of `crawl --json` and `resume --json`. */
export interface CliSummary {
  readonly crawlId: string;
  readonly state: string;
  readonly finishReason: string | null;
  readonly discovered: number;
  readonly fetched: number;
  readonly redirected: number;
  readonly failed: number;
  readonly skipped: number;
  readonly queued: number;
  readonly hosts: number;
}

/**
 * Start `orbweaver …` in `cwd`; what is left of it ends with this process.
 *
 * @param env named on purpose; nothing else of this process's TEMPORAL_*, REDIS_URL or ORBWEAVER_*
 */
export function startCli(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  const cli = spawnCli(args, {
    command: [process.execPath, CLI],
    env: { ...NO_SETTINGS, ...env },
    cwd,
  });
  const kill = (): boolean => cli.kill();
  process.once('exit', kill);
  void cli.ended.then(() => process.off('exit', kill));
  return cli;
}

/**
 * Wait for the end of a crawl's process.
 *
 * @throws Error with what it said when it does not end well
 */
export async function summaryOf(cli: CliProcess): Promise<CliSummary> {
  const { code, stdout, stderr } = await cli.ended;
  if (code !== 0) throw new Error(`exit code ${code}\n${stderr.slice(-4_000)}`);
  const lines = stdout.trimEnd().split('\n');
  if (lines.length !== 1) throw new Error(`expected one line on stdout, got:\n${stdout}`);
  return JSON.parse(lines[0]!) as CliSummary;
}

/** All records that `orbweaver export` prints. */
export async function exportByCli(crawlId: string, cwd: string): Promise<PageRecord[]> {
  const { code, stdout, stderr } = await startCli(['export', crawlId], cwd).ended;
  if (code !== 0) throw new Error(`export: exit code ${code}\n${stderr.slice(-4_000)}`);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as PageRecord);
}

/** A process that keeps a data directory's servers, or one of those servers. */
export type EmbeddedPart = 'keeper' | 'Redis' | 'Temporal';

/** The process that is this part now, by the records of the default data directory in `cwd`. */
export function partPid(cwd: string, part: EmbeddedPart): number {
  const file = part === 'keeper' ? 'keeper.json' : 'processes.json';
  const record = JSON.parse(readFileSync(join(cwd, '.orbweaver', file), 'utf8')) as {
    pid?: number;
    Redis?: { pid: number };
    Temporal?: { pid: number };
  };
  const pid = part === 'keeper' ? record.pid : record[part]?.pid;
  if (pid === undefined) throw new Error(`${file} names no ${part}`);
  return pid;
}

/** Wait until the part lives, as another process than `before`. */
export function untilBack(cwd: string, part: EmbeddedPart, before: number): Promise<unknown> {
  return waitFor(
    () => {
      const pid = partPid(cwd, part);
      return pid !== before && isAlive(pid);
    },
    { what: `${part} is started again by its owner`, timeoutMs: 60_000 },
  );
}
