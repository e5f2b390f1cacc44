/**
 * A process that appends until it is killed, as a worker does: several callers at once, each append
 * reported on stdout once its promise has resolved.
 *
 * Arguments: folder, number of the first record, owner.
 */

import { writeSync } from 'node:fs';
import { newWriterId, openJsonlSink } from '../../../src/output/jsonl-sink.js';
import { numbers, recordOf } from './record-builder.js';

const [, , dir = '', first = '', owner = ''] = process.argv;
const sink = openJsonlSink({ dir, writer: newWriterId(), maxSegmentBytes: 40_000 });
let next = Number(first);

async function host(): Promise<never> {
  for (;;) {
    const ids = numbers(next, 1 + (next % 3));
    next += ids.length;
    const outcome = next % 5 === 0 ? 'failed' : 'fetched';
    await sink.append(ids.map((id) => recordOf(id, { owner, outcome, title: owner })));
    writeSync(1, ids.map((id) => `${String(id)}\n`).join(''));
  }
}

await Promise.all(Array.from({ length: 8 }, host));
