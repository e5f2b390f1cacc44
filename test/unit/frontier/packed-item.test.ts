import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packItem, unpackItem } from '../../../src/frontier/packed-item.js';

const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\t', ''));
const item = fc.record({
  kind: fc.constantFrom('page' as const, 'sitemap' as const),
  depth: fc.nat(),
  attempts: fc.nat(),
  hops: fc.stringMatching(/^[LERMS]{0,32}$/),
  level: fc.nat(255),
  via: text,
  url: text.filter((value) => value !== ''),
});

describe('packItem and unpackItem', () => {
  it('return what went in', () => {
    fc.assert(
      fc.property(item, (value) => {
        expect(unpackItem(packItem(value))).toEqual(value);
      }),
    );
  });

  it('keep the newest 32 letters of a hop path', () => {
    const value = { ...fc.sample(item, 1)[0]!, hops: `${'L'.repeat(40)}R` };
    expect(unpackItem(packItem(value)).hops).toBe(`${'L'.repeat(31)}R`);
  });

  it.each([
    ['level', -1],
    ['level', 256],
    ['level', 1.5],
    ['depth', Number.NaN],
    ['attempts', -1],
    ['url', ''],
    ['url', 'https://x.example/\t'],
    ['via', '\t'],
    ['hops', 'L\tL'],
  ] as const)('refuse %s %j by name', (field, bad) => {
    const value = { ...fc.sample(item, 1)[0]!, [field]: bad };
    expect(() => packItem(value)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringMatching(new RegExp(`^${field}: `)) as string,
      }) as Error,
    );
  });
});
