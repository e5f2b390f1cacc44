import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SinkRecord } from '../../../src/contracts/urls.js';
import { LatestRecords } from '../../../src/output/latest-records.js';
import { numbers, recordOf } from './record-builder.js';

const offers = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 5 }),
    owner: fc.constantFrom('1790000000000:a', '1790000000000:b', '1800000000000:a'),
    turn: fc.constantFrom(0, 1, 2, 10, 0xffffffff),
    attempt: fc.constantFrom(1, 2, 10),
  }),
  { maxLength: 60 },
);

/** The same by sorting, which is stable: the last of equals stays last. */
function lastLines(records: readonly SinkRecord[]): number[] {
  const lines = records.map((_, line) => line);
  const later = (x: number, y: number): number => {
    const a = records[x] as SinkRecord;
    const b = records[y] as SinkRecord;
    if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1;
    return a.turn - b.turn || a.attempt - b.attempt;
  };
  const last = new Map<string, number>();
  for (const line of lines.sort(later)) last.set(records[line]?.fingerprint ?? '', line);
  return [...last.values()].sort((a, b) => a - b);
}

function setBits(bits: Uint8Array, count: number): number[] {
  return numbers(0, count).filter((line) => ((bits[line >>> 3] ?? 0) >>> (line & 7)) & 1);
}

describe('LatestRecords', () => {
  it('keeps the last of each URL by owner, turn, attempt and position', () => {
    fc.assert(
      fc.property(offers, (list) => {
        const records = list.map(({ id, ...over }) => recordOf(id, over));
        const latest = new LatestRecords();
        records.forEach((record, line) => latest.offer(record, line, true));
        expect(setBits(latest.wantedLines(records.length), records.length)).toEqual(
          lastLines(records),
        );
        expect(latest.size).toBe(new Set(records.map((record) => record.fingerprint)).size);
      }),
    );
  });

  it('holds as many URLs as are offered', () => {
    const latest = new LatestRecords();
    const count = 20_000;
    for (const id of numbers(0, count)) latest.offer(recordOf(id), id, id % 2 === 0);
    for (const id of numbers(0, count)) latest.offer(recordOf(id, { turn: 0 }), count + id, true);
    expect(latest.size).toBe(count);
    expect(setBits(latest.wantedLines(2 * count), 2 * count)).toEqual(
      numbers(0, count).filter((id) => id % 2 === 0),
    );
  });
});
