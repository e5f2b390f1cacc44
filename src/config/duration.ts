/** Durations as people write them: `500ms`, `15m`, `1h30m`, `7d`, or milliseconds as a number. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** What the parser takes, in words for error messages. */
export const DURATION_FORMS =
  'milliseconds as a number, or text with units such as "500ms", "15m", "1h30m", "7d"';

const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/**
 * Milliseconds of a duration. Text of digits alone counts as milliseconds, so that a value means
 * the same in a flag, in the environment and in a file. Fractions of a millisecond are rounded.
 *
 * @returns undefined where the value is no duration (negative, unknown unit, not finite)
 */
export function parseDuration(value: number | string): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  const text = value.trim().toLowerCase().replaceAll(' ', '');
  if (/^\d+(\.\d+)?$/.test(text)) return finite(Number(text));
  if (!WHOLE.test(text)) return undefined;
  let totalMs = 0;
  const seen = new Set<string>();
  for (const [, amount = '', unit = ''] of text.matchAll(PART)) {
    // "5m5m" is a slip, not a sum.
    if (seen.has(unit)) return undefined;
    seen.add(unit);
    totalMs += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return finite(totalMs);
}

/** A duration in its shortest exact form: 5400000 → `1h30m`, 0 → `0ms`. */
export function formatDuration(durationMs: number): string {
  let rest = Math.round(durationMs);
  let text = '';
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const size = UNIT_MS[unit] ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${String(count)}${unit}`;
  }
  return text === '' ? '0ms' : text;
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.round(ms) : undefined;
}
