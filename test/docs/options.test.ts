/** docs/options.md, the docstrings and the code state the same options with the same defaults. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  OPTION_CATALOGUE,
  environmentName,
  valueFromText,
  type OptionEntry,
} from '../../src/config/catalogue.js';
import { PROCESS_VARIABLES } from '../../src/config/env.js';
import { resolveAdjustments, resolveCrawlOptions } from '../../src/config/resolve.js';
import { crawlOptionsSchema } from '../../src/config/schema.js';
import { VERSION } from '../../src/config/version.js';

const SEEDS = ['https://example.com/'];
const document = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8');
const source = readFileSync(new URL('../../src/config/options.ts', import.meta.url), 'utf8');

const rows = document
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const optionRows = new Map(
  rows
    .filter((cells) => cells.length === 5)
    .map((cells) => [/`([^`]+)`/.exec(cells[0] ?? '')?.[1] ?? '', cells]),
);

/** Defaults that depend on another option are sentences; their own tests are below. */
function isLiteral(entry: OptionEntry): boolean {
  return !['seeds', 'delayFactor', 'expectedUrls'].includes(entry.path);
}

function nested(path: string, value: unknown): Record<string, unknown> {
  const [first = '', second] = path.split('.');
  return { [first]: second === undefined ? value : { [second]: value } };
}

describe('docs/options.md', () => {
  it('lists exactly the options of the catalogue, in its order', () => {
    expect([...optionRows.keys()]).toEqual(OPTION_CATALOGUE.map((entry) => entry.path));
  });

  it.each(OPTION_CATALOGUE)('states flag, variable and default of $path', (entry) => {
    const [name, flag, variable, defaultText, meaning] = optionRows.get(entry.path) ?? [];
    expect(flag).toBe(`\`${entry.flag}\``);
    expect(variable).toBe(`\`${environmentName(entry.path)}\``);
    expect(defaultText?.replaceAll('\\', '')).toBe(entry.defaultText);
    expect(name?.includes('★')).toBe(entry.adjustable === true);
    expect(meaning).toMatch(/\w+.*\.$/);
  });

  it('lists the variables of a process', () => {
    const listed = rows.filter((cells) => cells.length === 2).map((cells) => cells[0]);
    expect(listed).toEqual(Object.keys(PROCESS_VARIABLES).map((name) => `\`${name}\``));
  });
});

describe('option catalogue', () => {
  it('has an entry for every field of the schema, and no other', () => {
    const fields = Object.keys(crawlOptionsSchema.shape).sort();
    const named = new Set(OPTION_CATALOGUE.map((entry) => entry.path.split('.')[0]));
    expect([...named].sort()).toEqual(fields);
  });

  it.each(OPTION_CATALOGUE.filter(isLiteral))('states the real default of $path', (entry) => {
    const text = entry.defaultText.replace('<version>', VERSION);
    const value = text === '[]' ? [] : valueFromText(entry, text);
    const explicit = resolveCrawlOptions({ seeds: SEEDS, ...nested(entry.path, value) });
    expect(explicit).toEqual(resolveCrawlOptions({ seeds: SEEDS }));
  });

  it('states the real default of delayFactor', () => {
    const factor = (options: object) =>
      resolveCrawlOptions({ seeds: SEEDS, ...options }).settings.delayFactor;
    expect([factor({}), factor({ delayMs: 0 }), factor({ delayMs: '0s' })]).toEqual([1, 0, 0]);
    expect(factor({ delayMs: 0, delayFactor: 2 })).toBe(2);
  });

  it('states the real default of expectedUrls', () => {
    const capacity = (maxPages: number | null) =>
      resolveCrawlOptions({ seeds: SEEDS, maxPages }).settings.bloomCapacity;
    expect([null, 10, 50_000, 1e9].map(capacity)).toEqual([1_000_000, 10_000, 500_000, 1e8]);
  });

  it.each(OPTION_CATALOGUE.filter((entry) => entry.path !== 'seeds'))(
    'marks $path as adjustable exactly when resume takes it',
    (entry) => {
      const value = valueFromText(entry, entry.defaultText.split(';')[0] ?? '');
      const change = () => resolveAdjustments(nested(entry.path, value));
      if (entry.adjustable) expect(Object.keys(change())).toHaveLength(1);
      else expect(change).toThrow(/fixed once a crawl has started|name of an option/);
    },
  );
});

describe('docstrings of CrawlOptions', () => {
  it.each(OPTION_CATALOGUE.filter(isLiteral))('state the default of $path', (entry) => {
    const name = entry.path.split('.').at(-1) ?? '';
    const scope = entry.path.includes('.') ? source.slice(source.indexOf('TurnOptions {')) : source;
    const before = scope.slice(0, scope.indexOf(`\n  ${name}?:`));
    const stated = /@default (`[^`]+`|'[^']+'|[^\s,]+)/.exec(
      before.slice(before.lastIndexOf('/**')),
    );
    const text = stated?.[1]?.replace(/^['`]|['`]$/g, '').replace(/:$/, '');
    expect(text === 'null' ? 'none' : text).toBe(entry.defaultText);
  });
});
