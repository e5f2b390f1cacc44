/** Where the vectors come from, counted by source and file: the tables of docs/vectors.md. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Counts by source, then by file (without `.json`). */
export type SourceCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

const STANDARD =
  /^(RFC \d+|WHATWG [A-Z][A-Za-z]+|UTS ?#?46|XML 1\.0|sitemaps\.org|CWE-\d+|Google Safe Browsing|WPT)\b/;
const REPOSITORY = /^(?!application\/)[A-Za-z0-9][\w-]*\/[\w.-]+/;

/** The project or standard that a case's `source` begins with. */
export function sourceName(source: string): string {
  const text = source.trim().replace(/^["(]+/, '');
  const standard = STANDARD.exec(text)?.[1];
  return standard ?? REPOSITORY.exec(text)?.[0] ?? 'other practice';
}

/** Count the cases of every vector file in a folder that has `cases` with a `source`. */
export function countSources(folder: URL): SourceCounts {
  const counts = new Map<string, Map<string, number>>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const { cases } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
      cases?: readonly { readonly source: string }[];
    };
    for (const { source } of cases ?? []) {
      const name = sourceName(source);
      const byFile = counts.get(name) ?? new Map<string, number>();
      counts.set(name, byFile);
      const kind = file.slice(0, -'.json'.length);
      byFile.set(kind, (byFile.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}

/** A Markdown table: a row a source, most cases first, and a last row of sums. */
export function sourceTable(counts: SourceCounts): string {
  const files = [...new Set([...counts.values()].flatMap((byFile) => [...byFile.keys()]))].sort();
  const sum = (byFile: ReadonlyMap<string, number>) => [...byFile.values()].reduce((a, b) => a + b);
  const rows = [...counts]
    .sort((a, b) => sum(b[1]) - sum(a[1]) || (a[0] < b[0] ? -1 : 1))
    .map(([name, byFile]) => [
      name,
      ...files.map((file) => String(byFile.get(file) ?? '')),
      String(sum(byFile)),
    ]);
  const totals = files.map((file) =>
    [...counts.values()].reduce((all, byFile) => all + (byFile.get(file) ?? 0), 0),
  );
  const all = totals.reduce((a, b) => a + b, 0);
  return markdown([
    ['Source', ...files, 'all'],
    ...rows,
    ['**all**', ...totals.map(String), String(all)],
  ]);
}

function markdown(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
}

/** The repository's own vectors, and the public collection where it is there. */
export const OWN_VECTORS = new URL('./', import.meta.url);
export const PUBLIC_VECTORS = new URL('../../../shared/cases/', import.meta.url);
export const hasPublicVectors = existsSync(PUBLIC_VECTORS);
