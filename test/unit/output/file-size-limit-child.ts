/** Writes under a file size limit of the system until a write fails, then repeats what failed. */

import { openJsonlSink } from '../../../src/output/jsonl-sink.js';
import { numbers, recordOf } from './record-builder.js';

const [, , dir = '', count = ''] = process.argv;
const sink = openJsonlSink({ dir, writer: 'w' });
let failures = 0;
for (let first = 0; first < Number(count); first += 10) {
  const records = numbers(first, 10).map((id) => recordOf(id));
  try {
    await sink.append(records);
  } catch (error) {
    failures += 1;
    const { code, details } = error as { code: string; details: { errno: string } };
    console.log(`${code} ${details.errno}`);
    await sink.append(records);
  }
}
await sink.close();
console.log(`failures ${String(failures)}`);
