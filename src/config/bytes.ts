/** Sizes as people write them: `512KiB`, `10MiB`, `1GB`, or bytes as a number. */

const UNIT_BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** What the parser takes, in words for error messages. */
export const SIZE_FORMS =
  'bytes as a number, or text with a unit such as "512KiB", "10MiB" (1024-based) or "10MB" (1000-based)';

/**
 * Bytes of a size. IEC units (KiB) are powers of 1024, SI units (kB) powers of 1000; case does not
 * matter; fractions of a byte are rounded.
 *
 * @returns undefined where the value is no size; a bare `k` or `M` is refused as ambiguous
 */
export function parseSize(value: number | string): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  const match = /^(\d+(?:\.\d+)?) *([a-z]*)$/.exec(value.trim().toLowerCase());
  if (match === null) return undefined;
  const [, amount = '', unit = ''] = match;
  const factor = unit === '' ? 1 : UNIT_BYTES[unit];
  if (factor === undefined) return undefined;
  const bytes = Math.round(Number(amount) * factor);
  return Number.isFinite(bytes) ? bytes : undefined;
}

/** A size in the largest IEC unit that states it exactly: 10485760 → `10MiB`, 1500 → `1500B`. */
export function formatSize(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['KiB', 1024],
  ] as const) {
    if (bytes >= size && bytes % size === 0) return `${String(bytes / size)}${unit}`;
  }
  return `${String(bytes)}B`;
}
