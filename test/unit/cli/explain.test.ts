import { describe, expect, it } from 'vitest';
import { explanationLines } from '../../../src/cli/explain/explain-text.js';
import type { Trace, UrlFacts } from '../../../src/cli/explain/gather-facts.js';
import { verdictOf } from '../../../src/cli/explain/verdict.js';
import type { HostFacts } from '../../../src/frontier/explain-host.js';
import { recordOf } from '../output/record-builder.js';
import { status } from './builders.js';

const URL_ASKED = 'https://example.com/a';
const HOST: HostFacts = {
  state: 'idle',
  reason: null,
  nextAtMs: null,
  queued: 0,
  fetched: 3,
  isExhausted: false,
  isBlocked: false,
  failures: 0,
};

const unmet = (kind: Trace['kind']): Trace => ({
  kind,
  fingerprint: 'f'.repeat(20),
  isSeen: false,
  place: null,
  trapped: null,
  record: null,
});

/** A URL that nobody has met, on a host that was. */
function facts(changes: Partial<UrlFacts> = {}): UrlFacts {
  return {
    status: status(),
    url: URL_ASKED,
    canonical: URL_ASKED,
    hostKey: 'example.com',
    registeredDomain: 'example.com',
    isSeed: false,
    scope: { inScope: true },
    robots: { verdict: 'allowed', rule: null, isOldCopy: false },
    host: HOST,
    domainHosts: 1,
    page: unmet('page'),
    sitemap: unmet('sitemap'),
    suspicion: null,
    redirectedFrom: [],
    output: { dir: '/data/out/c1', why: null },
    cutShort: [],
    ...changes,
  };
}

const linesOf = (given: UrlFacts) => explanationLines(given, verdictOf(given, 0), 0);

describe('the explanation of a URL that was never met', () => {
  it('does not promise what a trap rule would hold back', () => {
    const held = facts({ suspicion: { rule: 'deepPath', weight: 'hold' } });
    expect(verdictOf(held, 0)).toEqual({
      name: 'neverMet',
      sentence:
        'It was never met, and a link to it would have it held back as a crawl trap by the rule ' +
        'deepPath; with --no-traps, or from a sitemap, it would be queued.',
    });
    expect(linesOf(held).join('\n')).toMatch(
      /^looks like +a trap by deepPath: links to it are held back, unless --no-traps is given$/m,
    );
    const later = facts({ suspicion: { rule: 'calendar', weight: 'later' } });
    expect(verdictOf(later, 0).sentence).toMatch(/^It was never met: no page .* will queue it\.$/);
  });

  it.each([
    [{ isBlocked: true, reason: 'FETCH_CONNECT' }, 'was out of reach for too long (FETCH_CONNECT)'],
    [{ isExhausted: true }, 'has reached its limit (--per-host-limit)'],
  ])('names what is wrong with its host: %j', (changes, told) => {
    const { sentence } = verdictOf(facts({ host: { ...HOST, ...changes } }), 0);
    expect(sentence).toContain(` will queue it, but its host example.com ${told}.`);
  });
});

describe('the explanation of a URL that is held back', () => {
  const item = {
    ...({ kind: 'page', depth: 1, attempts: 0, hops: 'L', level: 8 } as const),
    ...{ via: 'https://example.com/', url: URL_ASKED },
  };

  it.each([
    ['repeatedPath', 'a page that looks sound may still queue it, and so does orbweaver held c1'],
    ['maxHostsPerDomain', 'orbweaver held c1 --requeue queues it after all.'],
  ] as const)('names what may still queue it: %s', (rule, remedy) => {
    const page: Trace = { ...unmet('page'), trapped: { item, rule } };
    const { name, sentence } = verdictOf(facts({ page }), 0);
    expect(name).toBe('trapped');
    expect(sentence).toContain(`by the rule ${rule}; ${remedy}`);
  });
});

describe('the explanation of a failure', () => {
  const reason = 'HTTP 500';
  const record = recordOf(1, { url: URL_ASKED, outcome: 'failed', reason, status: 500 });

  it('names the status once', () => {
    const lines = linesOf(facts({ page: { ...unmet('page'), isSeen: true, record } }));
    expect(lines.filter((line) => line.startsWith('outcome')).join()).toMatch(
      / failed: HTTP 500, 2026/,
    );
  });

  it('counts tries only while there are more to come', () => {
    const item = {
      ...({ kind: 'page', depth: 1, attempts: 1, hops: 'L', level: 8 } as const),
      ...{ via: 'https://example.com/', url: URL_ASKED },
    };
    const given = (place: NonNullable<Trace['place']>) =>
      linesOf(facts({ page: { ...unmet('page'), isSeen: true, place } })).join('\n');
    const retry = { where: 'retry', hostKey: 'example.com', item, dueAtMs: 5000 } as const;
    expect(given(retry)).toMatch(/^tries so far +1$/m);
    const letter = { where: 'deadLetter', hostKey: 'example.com', item, atMs: 0, reason } as const;
    expect(given(letter)).toContain('dead letter since');
    expect(given(letter)).not.toContain('tries so far');
  });
});
