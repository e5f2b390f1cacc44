/** The native part of Temporal's SDK, set up once per process: quiet, and without signal handlers. */
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  type LogEntry,
  type NativeConnectionOptions,
} from '@temporalio/worker';
import type { CliStream } from './context.js';
import { makeFolders } from '../folders.js';

let isInstalled = false;

/** Connect workers; the first call decides where the SDK's warnings go, never to stdout. */
export async function connectWorkers(
  options: NativeConnectionOptions,
  log: { readonly logFile: string; readonly stderr: CliStream | null },
): Promise<NativeConnection> {
  if (!isInstalled) {
    isInstalled = true;
    Runtime.install({
      logger: new DefaultLogger('WARN', logWriter(log.logFile, log.stderr)),
      // Ctrl-C is ours: the command lets running pages finish and says how to go on.
      shutdownSignals: [],
      // What the native part logs would go to stdout, into the middle of results.
      telemetryOptions: {
        logging: {
          forward: {},
          filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }),
        },
      },
    });
  }
  return NativeConnection.connect(options);
}

function logWriter(logFile: string, stderr: CliStream | null): (entry: LogEntry) => void {
  let out: { write(text: string): unknown } | null = stderr;
  return (entry) => {
    // Our workers serve one kind of task each, on purpose.
    if (/^No (activities|workflows) registered/.test(entry.message)) return;
    out ??= openLog(logFile);
    out.write(`${formatEntry(entry)}\n`);
  };
}

function openLog(logFile: string): { write(text: string): unknown } {
  makeFolders(dirname(logFile));
  const file = createWriteStream(logFile, { flags: 'a' });
  // A log that can't be written is no reason to end a crawl.
  file.on('error', () => undefined);
  return file;
}

function formatEntry({ level, timestampNanos, message, meta }: LogEntry): string {
  const at = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
  const { error, ...rest } = (meta ?? {}) as Record<string, unknown>;
  const facts = Object.keys(rest).length > 0 ? ` ${safeJson(rest)}` : '';
  const stack = error instanceof Error ? `\n${error.stack ?? error.message}` : '';
  return `${at} ${level} ${message}${facts}${stack}`;
}

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'bigint' ? String(part) : part,
    );
  } catch {
    return '(not printable)';
  }
}
