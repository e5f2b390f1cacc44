import { describe, expect, it } from 'vitest';
import { abandonedLine, isAbandoned } from '../../../src/cli/control/engine-life.js';

const NOW = 1_800_000_000_000;
const seen = (agoMs: number | null, state: 'running' | 'paused' | 'finished' = 'running') => ({
  crawlId: 'docs',
  state,
  parentSeenAtMs: agoMs === null ? null : NOW - agoMs,
});

describe('isAbandoned', () => {
  it('is not said of a crawl whose parent asked lately, nor of one that is over', () => {
    expect(isAbandoned(seen(2000), NOW)).toBe(false);
    expect(isAbandoned(seen(86_400_000, 'finished'), NOW)).toBe(false);
  });

  it('is said after half a minute of silence, also while paused', () => {
    expect(isAbandoned(seen(31_000), NOW)).toBe(true);
    expect(isAbandoned(seen(31_000, 'paused'), NOW)).toBe(true);
    expect(isAbandoned(seen(null), NOW)).toBe(true);
  });
});

describe('abandonedLine', () => {
  it('says since when, and the command that goes on', () => {
    expect(abandonedLine(seen(3_720_000), NOW, '/srv/data')).toBe(
      'no worker has been seen for 1h 2m: nothing is fetched now; ' +
        'go on with: orbweaver resume docs --data-dir /srv/data (or start a worker)',
    );
    expect(abandonedLine(seen(1000), NOW)).toBeUndefined();
  });
});
