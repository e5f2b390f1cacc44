/** The engine's version, as its own package.json states it. */

import { readFileSync } from 'node:fs';

// Two levels up both from src/config and from dist/config.
const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

export const VERSION: string = manifest.version;
