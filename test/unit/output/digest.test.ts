import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/output/digest.js';

describe('digestOf', () => {
  // FIPS 180-4 example values.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('is the SHA-256 of %j', (text, hex) => {
    expect(digestOf(Buffer.from(text))).toBe(`sha256:${hex}`);
  });
});
