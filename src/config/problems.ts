/** How refused options are told: every problem at once, with field, source, value and remedy. */

import { ConfigError } from '../errors.js';

/** One refused option. */
export interface OptionProblem {
  /** Dotted path as in the API: `delayMs`, `seeds[2]`, `turn.maxPages`. */
  readonly field: string;
  readonly message: string;
  readonly kind: 'invalid' | 'unknown';
}

/** Longest value and longest list of problems that a message repeats. */
const VALUE_LENGTH_MAX = 100;
const PROBLEMS_MAX = 20;

/** A value for a message: JSON, one line, short, credentials of URLs masked. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  let text: string;
  try {
    text =
      typeof value === 'bigint' ? `${String(value)}n` : (JSON.stringify(value) ?? typeof value);
  } catch {
    text = typeof value;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) text = String(value);
  text = text.replace(/(\/\/)[^/\s"@]+@/g, '$1***@');
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}

/**
 * One error for all problems; its code is that of an unknown option only where all are unknown.
 *
 * @param problems at least one
 */
export function problemsError(problems: readonly OptionProblem[]): ConfigError {
  const shown = problems.slice(0, PROBLEMS_MAX).map((problem) => problem.message);
  const hidden = problems.length - shown.length;
  if (hidden > 0) shown.push(`and ${String(hidden)} more`);
  const message =
    shown.length === 1
      ? (shown[0] ?? '')
      : `${String(problems.length)} options are refused:\n${shown.map((line) => `- ${line}`).join('\n')}`;
  const code = problems.every((problem) => problem.kind === 'unknown')
    ? 'CONFIG_UNKNOWN_OPTION'
    : 'CONFIG_INVALID_OPTION';
  return new ConfigError(code, message, {
    details: { fields: problems.map((problem) => problem.field) },
  });
}

/**
 * The known name nearest to a mistyped one, or undefined where none is near: at most a third of
 * the letters may differ (edit distance), case and separators do not count.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = fold(name);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, fold(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
