/** Numbers, sizes and times as people read them. Pure. */

/** 1234567 → `1,234,567`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** Bytes in the unit that leaves one to three digits before the point: 1536 → `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  const text = unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1);
  return `${text} ${units[unit] ?? ''}`;
}

/** Time passed or to come, in its two largest units: 3723000 → `1h 2m`, 400 → `0s`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .filter(([count], n) => n === 0 || count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

/** `1 page`, `2 pages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** A bar of `width` cells, `share` (0 to 1) of them full. */
export function bar(share: number, width: number): string {
  const full = Math.round(Math.min(Math.max(share, 0), 1) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

/** `4 robotsTxt, 2 tooLarge`, largest first; empty for none. */
export function formatTally(tally: Readonly<Record<string, number>>): string {
  return Object.entries(tally)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${formatCount(count)} ${plain(reason)}`)
    .join(', ');
}

/** Text of strangers (URLs, reasons) without what a terminal might act on. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?');
}

/** At most `width` characters, cut in the middle, where URLs differ least. */
export function fit(text: string, width: number): string {
  if (text.length <= width) return text;
  if (width <= 1) return '…'.slice(0, width);
  const head = Math.ceil((width - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}
