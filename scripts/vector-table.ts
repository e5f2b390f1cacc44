/** Writes the tables of docs/vectors.md anew: `npx tsx scripts/vector-table.ts`. */

import { readFileSync, writeFileSync } from 'node:fs';
import {
  countSources,
  hasPublicVectors,
  OWN_VECTORS,
  PUBLIC_VECTORS,
  sourceTable,
} from '../test/vectors/sources.js';

const document = new URL('../docs/vectors.md', import.meta.url);
let text = readFileSync(document, 'utf8');

function replace(name: string, folder: URL): void {
  const [begin, end] = [`<!-- ${name} -->\n\n`, `\n\n<!-- end of ${name} -->`];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < 0) throw new Error(`docs/vectors.md lacks the marks of ${name}`);
  text = text.slice(0, from) + sourceTable(countSources(folder)) + text.slice(to);
}

replace('own vectors', OWN_VECTORS);
if (hasPublicVectors) replace('public vectors', PUBLIC_VECTORS);
writeFileSync(document, text);
