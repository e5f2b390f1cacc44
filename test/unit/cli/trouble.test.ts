import { describe, expect, it } from 'vitest';
import { troubleTeller } from '../../../src/cli/trouble.js';
import { FrontierError, OutputError } from '../../../src/errors.js';

describe('troubleTeller', () => {
  it('says each kind of trouble at once, and again only after a minute', () => {
    const said: string[] = [];
    let nowMs = 1_000;
    const tell = troubleTeller(
      (line) => said.push(line),
      () => nowMs,
    );
    const disk = new OutputError('OUTPUT_WRITE', 'out/k: ENOSPC; free space', { retryable: true });
    tell(disk);
    tell(disk);
    tell(new FrontierError('FRONTIER_UNAVAILABLE', 'Redis is full', { retryable: true }));
    expect(said).toEqual([
      expect.stringContaining('out/k: ENOSPC; free space'),
      expect.stringContaining('Redis is full'),
    ]);
    nowMs += 59_999;
    tell(disk);
    expect(said).toHaveLength(2);
    nowMs += 1;
    tell(disk);
    expect(said).toHaveLength(3);
  });
});
