/** `orbweaver dev`: only the servers, for other processes to use. */
import type { Command } from 'commander';
import { ConfigError } from '../../errors.js';
import { dataDirOf, type CliContext } from '../context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { ServerAddresses } from '../../servers/keeper-protocol.js';
import { withInterrupts, type Interrupts } from '../interrupts.js';

interface DevFlags {
  readonly dataDir?: string;
  readonly temporalPort?: number;
  readonly uiPort?: number;
  readonly redisPort?: number;
  readonly json?: boolean;
}

export function register(program: Command, ctx: CliContext): void {
  program
    .command('dev')
    .description('run only the servers, and print their addresses, until Ctrl-C')
    .option('--data-dir <dir>', 'folder of their data (default: .orbweaver)')
    .option(
      '--temporal-port <port>',
      'port of Temporal (default: that of last time)',
      portArgument('--temporal-port'),
    )
    .option(
      '--ui-port <port>',
      'port of its web UI (default: that of last time)',
      portArgument('--ui-port'),
    )
    .option(
      '--redis-port <port>',
      'port of Redis (default: that of last time)',
      portArgument('--redis-port'),
    )
    .option('--json', 'print the addresses as one line of JSON')
    .action(
      ctx.action((flags: DevFlags) => withInterrupts((interrupts) => dev(ctx, interrupts, flags))),
    );
}

async function dev(ctx: CliContext, interrupts: Interrupts, flags: DevFlags): Promise<ExitCode> {
  const { joinServers } = await import('../join-servers.js');
  const { temporalPort, uiPort, redisPort } = flags;
  const lost = new AbortController();
  const servers = await joinServers(
    { temporal: undefined, redis: undefined },
    {
      dataDir: dataDirOf(ctx, flags.dataDir),
      mayCreate: true,
      report: (line) => ctx.say(line),
      onLost: (error) => lost.abort(error),
      ...(temporalPort !== undefined && { temporalPort }),
      ...(uiPort !== undefined && { uiPort }),
      ...(redisPort !== undefined && { redisPort }),
    },
  );
  if (servers === undefined) throw new Error('no servers were joined');
  try {
    requireAskedPorts(flags, servers);
    const { temporalAddress, redisUrl, uiUrl } = servers;
    if (flags.json) ctx.print(JSON.stringify({ temporalAddress, redisUrl, uiUrl }));
    else {
      // Lines that a shell may take as they are.
      ctx.print(`export TEMPORAL_ADDRESS=${temporalAddress}`);
      ctx.print(`export REDIS_URL=${redisUrl}`);
      ctx.print(`export ORBWEAVER_UI_URL=${uiUrl}`);
    }
    ctx.say('servers run until Ctrl-C');
    interrupts.arm();
    const anyOf = AbortSignal.any([interrupts.signal, lost.signal]);
    // Neither a signal handler nor the connection to the servers holds a process.
    const hold = setInterval(() => undefined, 60_000);
    await new Promise<void>((resolve) => {
      anyOf.addEventListener('abort', () => resolve(), { once: true });
    });
    clearInterval(hold);
    if (lost.signal.aborted) throw lost.signal.reason;
    return EXIT.ok;
  } finally {
    await servers.close();
  }
}

const portArgument =
  (flag: string) =>
  (value: string): number => {
    const port = Number(value);
    if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      `${flag}: expected a whole number from 1 to 65535, got "${value}"; for example 7233`,
      { details: { field: flag } },
    );
  };

/** Servers that run already keep their ports: others than asked for are no silent surprise. */
export function requireAskedPorts(
  flags: Pick<DevFlags, 'temporalPort' | 'uiPort' | 'redisPort'>,
  servers: ServerAddresses,
): void {
  const asked = [
    ['--temporal-port', flags.temporalPort, servers.temporalAddress],
    ['--ui-port', flags.uiPort, servers.uiUrl],
    ['--redis-port', flags.redisPort, servers.redisUrl],
  ] as const;
  for (const [flag, port, address] of asked) {
    if (port === undefined || address.endsWith(`:${port}`)) continue;
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      `${flag}: expected the port of the servers that run already on this data directory ` +
        `(${address}), got ${port}; end the processes that use them first, or leave the flag out`,
      { details: { field: flag } },
    );
  }
}
