import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TRACKING_PARAMETERS } from '../../src/url/canonical-parameters.js';
import { SESSION_NAMES, SESSION_NAMES_WITH_TOKEN } from '../../src/url/canonical-sessions.js';
import { CANONICAL_RULES, DEFAULT_CANONICAL } from '../../src/url/canonical-settings.js';

const text = readFileSync(new URL('../../docs/urls.md', import.meta.url), 'utf8');
/** What stands between back quotes in a chapter. */
function namesIn(heading: string): string[] {
  const chapter = text.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return [...chapter.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.toLowerCase());
}

describe('docs/urls.md', () => {
  it('has a row for every rule, in the order of the code, with its default', () => {
    const rows = [...text.matchAll(/^\| `(\w+)` +\| (on|off) /gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(rows).toEqual(
      CANONICAL_RULES.map((name) => [name, DEFAULT_CANONICAL[name] ? 'on' : 'off']),
    );
  });

  it('lists every tracking parameter, and no other in its table', () => {
    const listed = namesIn('Tracking parameters');
    for (const name of TRACKING_PARAMETERS) expect(listed).toContain(name);
    const table = text.split('### Tracking parameters\n')[1]?.split('### ')[0] ?? '';
    const rows = [...table.matchAll(/^\|.*`.*\|$/gm)].join('\n');
    const inTable = [...rows.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect([...inTable].sort()).toEqual([...TRACKING_PARAMETERS].sort());
  });

  it('lists every name of a session id', () => {
    const listed = namesIn('Session ids');
    for (const name of [...SESSION_NAMES, ...SESSION_NAMES_WITH_TOKEN]) {
      expect(listed).toContain(name);
    }
  });
});
