/**
 * test/vectors/http.json, the hosts that play it and the public cases name the same behaviours: none
 * is written down and not played, played and not judged, or known to the field and missing here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allBehaviours } from '../../support/http-behaviours/all-behaviours.js';
import { CertificateAuthority } from '../../support/http-behaviours/certificate-authority.js';
import { expectedEnds, HTTP_CASES, isPlayed } from '../../support/http-behaviours/http-case.js';
import {
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

const authority = new CertificateAuthority();
const players = Object.keys(allBehaviours(authority, authority)).sort();
const namesOf = (cases: readonly { name: string }[]): string[] => cases.map(({ name }) => name);

describe('test/vectors/http.json', () => {
  it('has each name once', () => {
    expect(namesOf(HTTP_CASES)).toEqual([...new Set(namesOf(HTTP_CASES))]);
  });

  it('is played whole, and nothing is played that it does not judge', () => {
    expect(namesOf(HTTP_CASES.filter(isPlayed)).sort()).toEqual(players);
  });

  it('names a test, which names the case, where no crawl meets it', () => {
    for (const { name, crawl = '' } of HTTP_CASES.filter((one) => !isPlayed(one))) {
      expect(existsSync(crawl) && readFileSync(crawl, 'utf8').includes(`'${name}'`), name).toBe(
        true,
      );
    }
  });

  it('says of every failure which code of docs/errors.md, or which status, it is', () => {
    const documented = readFileSync('docs/errors.md', 'utf8');
    const failures = HTTP_CASES.flatMap((one) => Object.values(expectedEnds(one))).filter((end) =>
      end.startsWith('failed'),
    );
    expect(failures.length).toBeGreaterThan(50);
    for (const end of failures) {
      const [, code = ''] = /^failed (FETCH_[A-Z_]+|HTTP \d{3})( \(\w+\))?$/.exec(end) ?? [];
      expect(code.startsWith('HTTP ') || documented.includes(`| ${code} `), end).toBe(true);
    }
  });

  it.skipIf(!hasSharedCases)(sharedName('has every public case, in its category'), () => {
    const shared = sharedCases<SharedCase & { category: string }>('http');
    const own = new Map(HTTP_CASES.map(({ name, category }) => [name, category]));
    expect(shared.length).toBeGreaterThanOrEqual(80);
    expect(shared.filter(({ name, category }) => own.get(name) !== category)).toEqual([]);
  });
});
