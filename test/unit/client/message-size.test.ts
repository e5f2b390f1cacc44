import { describe, expect, it } from 'vitest';
import { MAX_INPUT_BYTES, refuseLargeInput } from '../../../src/client/message-size.js';

const many = (text: string, bytes: number): string[] =>
  Array.from({ length: Math.ceil(bytes / text.length) }, () => text);

describe('the input of a crawl', () => {
  it('goes through up to what a message holds', () => {
    const seeds = many('http://a.test/', MAX_INPUT_BYTES / 4);
    const include = many('http://a.test/*', MAX_INPUT_BYTES / 4);
    expect(() => refuseLargeInput({ crawlId: 'a', seeds, options: { include } })).not.toThrow();
    expect(() => refuseLargeInput({ crawlId: 'a', resume: true })).not.toThrow();
    expect(() => refuseLargeInput({ crawlId: 'a', options: { out: undefined } })).not.toThrow();
  });

  it.each([
    ['include', 'say the same in fewer words', {}, MAX_INPUT_BYTES],
    ['seeds', 'addSeeds', { seeds: many('http://a.test/', MAX_INPUT_BYTES) }, 0],
  ])('is refused beyond, by the name of the largest part: %s', (field, remedy, changes, bytes) => {
    const options = { include: many('http://a.test/*', bytes), maxPages: 5 };
    expect(() => refuseLargeInput({ crawlId: 'a', options, ...changes })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringMatching(new RegExp(`^${field}: .*${remedy}`)) as string,
      }) as Error,
    );
  });
});
