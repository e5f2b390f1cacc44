/** Every vector about what a robots.txt says: the project's own, and the public ones. */
import { describe, expect, it } from 'vitest';
import { robotsUrl } from '../../../src/robots/access.js';
import { parseRobots, type RobotsRules } from '../../../src/robots/rules.js';
import { loadVectors } from '../../vectors/load.js';
import {
  allSharedCases,
  expandParts,
  hasSharedCases,
  sharedCases,
  sharedName,
  type SharedCase,
} from '../../vectors/shared-cases.js';

interface Body {
  readonly robotsTxt?: string;
  readonly robotsTxtBase64?: string;
  readonly robotsTxtParts?: { text: string; repeat?: number }[];
}

interface OwnCase extends Body {
  readonly name: string;
  readonly category: string;
  readonly type: 'match' | 'fields' | 'robotsUrl' | 'http';
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly crawlDelayMs?: number | null;
  readonly sitemaps?: string[];
  readonly robotsUrl: string;
}

interface PublicCase extends Body, SharedCase {
  readonly category: string;
  readonly type: 'match' | 'fields' | 'robotsUrl' | 'http';
  readonly userAgent: string;
  readonly url: string;
  readonly robotsUrl: string;
  readonly allowed: boolean;
  readonly crawlDelay?: number | null;
  readonly sitemaps?: string[];
}

const ORIGIN = 'https://h.example/robots.txt';
const own = loadVectors<OwnCase>('robots');
const shared = hasSharedCases ? sharedCases<PublicCase>('robots') : [];

function bodyOf({ robotsTxt, robotsTxtBase64, robotsTxtParts }: Body): string | Buffer {
  if (robotsTxtBase64 !== undefined) return Buffer.from(robotsTxtBase64, 'base64');
  return robotsTxt ?? expandParts(robotsTxtParts ?? []);
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function hasFields(
  rules: RobotsRules,
  agent: string,
  delayMs: number | null | undefined,
  sitemaps: readonly string[] | undefined,
): boolean {
  return (
    (delayMs === undefined || rules.crawlDelayMs(agent) === delayMs) &&
    (sitemaps === undefined || isSame(rules.sitemaps, sitemaps))
  );
}

const namesOf = <T extends { name: string; type: string }>(
  cases: readonly T[],
  type: string,
  isRight: (each: T) => boolean,
): string[] => cases.filter((each) => each.type === type && !isRight(each)).map(({ name }) => name);

describe('own robots.txt vectors', () => {
  it('are allowed or not as RFC 9309 has it, from text and from bytes', () => {
    const failing = namesOf(own, 'match', (each) => {
      const body = bodyOf(each);
      return [body, Buffer.from(body)].every(
        (one) => parseRobots(one, ORIGIN).isAllowed(each.url, each.agent).allowed === each.allowed,
      );
    });
    expect(failing).toEqual([]);
  });

  it('have the delays and sitemaps expected', () => {
    const failing = namesOf(own, 'fields', (each) =>
      hasFields(parseRobots(bodyOf(each), ORIGIN), each.agent, each.crawlDelayMs, each.sitemaps),
    );
    expect(failing).toEqual([]);
  });

  it('have their robots.txt where expected', () => {
    expect(namesOf(own, 'robotsUrl', (each) => robotsUrl(each.url) === each.robotsUrl)).toEqual([]);
  });

  it('have names of their own', () => {
    expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
  });

  it.skipIf(!hasSharedCases)(sharedName('cover every kind of public case'), () => {
    const kinds = (cases: readonly (OwnCase | PublicCase)[]): string[] =>
      cases.map(({ type, category }) => `${type} ${category}`);
    const covered = new Set(kinds(own));
    const missing = kinds(allSharedCases<PublicCase>('robots')).filter(
      (kind) => !covered.has(kind),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe.skipIf(!hasSharedCases)(sharedName('public robots.txt vectors'), () => {
  it('are allowed or not as expected', () => {
    const failing = namesOf(shared, 'match', (each) => {
      const rules = parseRobots(bodyOf(each), robotsUrl(each.url));
      return rules.isAllowed(each.url, each.userAgent).allowed === each.allowed;
    });
    expect(failing).toEqual([]);
  });

  it('have the delays and sitemaps expected', () => {
    const failing = namesOf(shared, 'fields', (each) => {
      const { crawlDelay, userAgent, sitemaps } = each;
      const delayMs = typeof crawlDelay === 'number' ? crawlDelay * 1000 : crawlDelay;
      return hasFields(parseRobots(bodyOf(each), each.robotsUrl), userAgent, delayMs, sitemaps);
    });
    expect(failing).toEqual([]);
  });

  it('have their robots.txt where expected', () => {
    const failing = namesOf(shared, 'robotsUrl', (each) => robotsUrl(each.url) === each.robotsUrl);
    expect(failing).toEqual([]);
  });
});
