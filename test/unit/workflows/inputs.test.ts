import { describe, expect, it } from 'vitest';
import {
  checkCrawlInput,
  checkHostInput,
  checkReadRequest,
} from '../../../src/workflows/inputs.js';

const refused = (message: RegExp) =>
  expect.objectContaining({
    type: 'CONFIG_INVALID_OPTION',
    nonRetryable: true,
    message: expect.stringMatching(message) as string,
  }) as Error;

describe('input of a crawl', () => {
  it.each([
    { crawlId: 'c1' },
    { crawlId: 'c1', seeds: ['http://a.test/'], options: { maxPages: 5 }, resume: false },
    { crawlId: 'c1', tuning: { maxHistoryEvents: 15, lingerMs: 0, heartbeatMs: 500 } },
    { crawlId: 'c1', carried: { owner: '1:r', polls: 7, hostsStarted: 1, refusedSeeds: [] } },
  ])('passes as %o', (input) => {
    expect(() => checkCrawlInput(input)).not.toThrow();
  });

  it.each([
    [undefined, /^input: got nothing; give \{"crawlId"/],
    [null, /^input: got null/],
    [5, /^input: got 5/],
    [[], /^input: got \[\]/],
    [{}, /^crawlId: got nothing; give 1 to 64 letters/],
    [{ crawlId: '../../etc/x' }, /^crawlId: got "\.\.\/\.\.\/etc\/x"/],
    [{ crawlId: 'c1', seeds: 'http://a.test/' }, /^seeds: "http:\/\/a\.test\/" is no list/],
    [{ crawlId: 'c1', options: 5 }, /^options: got 5/],
    [{ crawlId: 'c1', resume: 'yes' }, /^resume: got "yes"/],
    [{ crawlId: 'c1', tuning: null }, /^tuning: got null/],
    // One run after another without getting anywhere.
    [{ crawlId: 'c1', tuning: { maxHistoryEvents: 1 } }, /^tuning\.maxHistoryEvents: got 1;/],
    [{ crawlId: 'c1', tuning: { lingerMs: -1 } }, /^tuning\.lingerMs: got -1;/],
    [{ crawlId: 'c1', carried: {} }, /^carried\.owner: got nothing; leave "carried" out/],
  ])('is refused as %o', (input, message) => {
    expect(() => checkCrawlInput(input)).toThrow(refused(message));
  });
});

describe('input of a host', () => {
  it.each([
    { crawlId: 'c1', hostKey: 'a.test' },
    { crawlId: 'c1', hostKey: 'a.test', carried: { owner: '1:r', turn: 3, progress: {} } },
  ])('passes as %o', (input) => {
    expect(() => checkHostInput(input)).not.toThrow();
  });

  it.each([
    [undefined, /^input: got nothing; hosts are started by their crawl/],
    [{ crawlId: 'c1' }, /^hostKey: got nothing/],
    [{ crawlId: 'c1', hostKey: 5 }, /^hostKey: got 5/],
    [
      { crawlId: 'c1', hostKey: 'a', carried: { owner: 'x', turn: '3' } },
      /^carried\.turn: got "3"/,
    ],
  ])('is refused as %o', (input, message) => {
    expect(() => checkHostInput(input)).toThrow(refused(message));
  });
});

describe('input of a read', () => {
  it.each([
    { kind: 'progress', crawlId: 'c1' },
    { kind: 'hosts', crawlId: 'c1', after: '', limit: 10 },
    { kind: 'deadLetters', crawlId: 'c1', offset: 0, limit: 10 },
    { kind: 'heldUrls', crawlId: 'c1', limit: 10 },
    { kind: 'heldUrls', crawlId: 'c1', cursor: '0', limit: 10 },
  ])('passes as %o', (request) => {
    expect(() => checkReadRequest(request)).not.toThrow();
  });

  it.each([
    [undefined, /^input: got nothing/],
    [{ kind: 'toString', crawlId: 'c1' }, /^kind: got "toString"; give one of progress/],
    [{ kind: 'hosts', crawlId: 'c1', limit: 'x' }, /^limit: got "x"; give a whole number/],
    [{ kind: 'hosts', crawlId: 'c1', limit: 1, after: 7 }, /^after: got 7/],
    [{ kind: 'heldUrls', crawlId: 'c1', limit: 0 }, /^limit: got 0; give a whole number/],
    [{ kind: 'heldUrls', crawlId: 'c1', limit: 1, cursor: 7 }, /^cursor: got 7/],
    [{ kind: 'deadLetters', crawlId: 'c1', offset: -1, limit: 1 }, /^offset: got -1/],
  ])('is refused as %o', (request, message) => {
    expect(() => checkReadRequest(request)).toThrow(refused(message));
  });
});
