/** Reads the vectors of this folder. */

import { readFileSync } from 'node:fs';

/** Cases of `<name>.json`; the caller states their shape. */
export function loadVectors<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { cases: T[] }).cases;
}
