/**
 * GNU wget as the second opinion on a site: which HTML pages does a kept crawler find?
 *
 * What it does otherwise than a crawler that reads pages as browsers do, as measured with wget 1.21
 * (test/unit/support/manuals.test.ts); any other difference is to be explained:
 *
 * - It follows more than navigation: `link` of every rel, frames, objects, images and srcset, scripts,
 *   video, meta refresh, `<body background>`. A page that only `<link rel=next>` names is only wget's.
 * - It reads tags where a browser sees text: in `<script>`, `<textarea>`, `<template>`. Comments it
 *   skips.
 * - It decodes `&amp;` and numbers, but no named characters: `caf&eacute;.html` stays as it is.
 * - It takes a backslash for a character (`%5C`); browsers take it for a slash.
 * - It ignores `xlink:href` in SVG and addresses with a scheme but no host (`http:page.html`).
 * - It drops fragments, keeps queries, honours `<base href>` and `../`, trims spaces and line ends:
 *   no difference. `/` and `/index.html` are two addresses, and so they are for us.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnCli } from '../chaos.js';
import type { RequestRecord } from '../synthetic-web/request-log.js';
import type { StaticServer } from './start.js';

/** wget's User-Agent, by which the server's log tells it from others. */
export const WGET_USER_AGENT = 'wget-mirror';

/** Every flag with its reason. */
export const WGET_FLAGS = [
  '--no-config', // nobody's ~/.wgetrc
  '--recursive',
  '--level=inf', // the default stops after 5 hops
  '--delete-after', // only the server's log is of interest
  '--no-directories', // one flat folder: a file and a folder of one name can't collide
  '--execute=robots=off', // no rules exist; nofollow is not part of this comparison
  '--no-verbose',
  '--tries=1', // loopback: a failure is a failure
  '--timeout=20',
  '--no-iri', // no guessing of charsets for addresses
  `--user-agent=${WGET_USER_AGENT}`,
] as const;

/** What wget found. */
export interface WgetMirror {
  /** Requests of wget only. */
  readonly log: RequestRecord[];
  readonly durationMs: number;
}

/** Is wget installed? */
export async function hasWget(): Promise<boolean> {
  try {
    return (await spawnCli(['--version'], { command: ['wget'] }).ended).code === 0;
  } catch {
    return false;
  }
}

/**
 * Let wget fetch all that it finds from a page of a server.
 *
 * @param timeoutMs @default 120_000
 * @throws Error when wget doesn't end in time or can't work; dead links (exit 8) are no error
 */
export async function wgetMirrorLog(
  server: StaticServer,
  startPath: string,
  timeoutMs = 120_000,
): Promise<WgetMirror> {
  const folder = await mkdtemp(join(tmpdir(), 'wget-mirror-'));
  const startedMs = performance.now();
  const wget = spawnCli([...WGET_FLAGS, `${server.origin}${startPath}`], {
    command: ['wget'],
    cwd: folder,
    env: { http_proxy: undefined, HTTP_PROXY: undefined },
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    wget.kill();
  }, timeoutMs);
  try {
    const { code, stderr } = await wget.ended;
    if (isLate) throw new Error(`wget has not finished ${startPath} within ${timeoutMs} ms`);
    if (code !== 0 && code !== 8) {
      throw new Error(`wget ended with ${code}: ${stderr.slice(-2_000)}`);
    }
  } finally {
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
  }
  const log = await server.log();
  return {
    log: log.filter(({ userAgent }) => userAgent === WGET_USER_AGENT),
    durationMs: performance.now() - startedMs,
  };
}
