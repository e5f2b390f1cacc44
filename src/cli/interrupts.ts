/** Ctrl-C and SIGTERM: the first asks for an orderly end, the second ends at once. */
import { EXIT, type ExitCode } from './exit-codes.js';

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;
type StopSignal = keyof typeof CODES;

/** Signals of this process, from now until `dispose`. */
export interface Interrupts {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** The exit code that belongs to the first signal; null before it. */
  code(): ExitCode | null;
  /**
   * From now on a first signal is answered in an orderly way. Before, and with the second signal,
   * the process ends at once.
   */
  arm(): void;
  /** Run before the process ends at once: put the terminal in order. */
  onAbruptEnd(act: () => void): void;
  dispose(): void;
}

/** Take over SIGINT and SIGTERM. `exit` defaults to process.exit. */
export function takeInterrupts(exit: (code: number) => void = process.exit): Interrupts {
  const controller = new AbortController();
  const lastActs: (() => void)[] = [];
  let isArmed = false;
  let code: ExitCode | null = null;
  const hear = (signal: StopSignal) => {
    if (isArmed && code === null) {
      code = CODES[signal];
      controller.abort();
      return;
    }
    for (const act of lastActs) act();
    exit(CODES[signal]);
  };
  const onInt = () => hear('SIGINT');
  const onTerm = () => hear('SIGTERM');
  process.on('SIGINT', onInt);
  process.on('SIGTERM', onTerm);
  return {
    signal: controller.signal,
    code: () => code,
    arm: () => {
      isArmed = true;
    },
    onAbruptEnd: (act) => void lastActs.push(act),
    dispose() {
      process.off('SIGINT', onInt);
      process.off('SIGTERM', onTerm);
    },
  };
}

/** Run something with interrupts taken over, and give them back whatever comes of it. */
export async function withInterrupts<T>(act: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const interrupts = takeInterrupts();
  try {
    return await act(interrupts);
  } finally {
    interrupts.dispose();
  }
}
