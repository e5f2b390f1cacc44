/** The output folder, tried before a crawl depends on it. */
import { mkdir, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OutputError } from '../errors.js';

/**
 * Make it where it is missing, write something there and take that away again.
 *
 * @param path absolute path of `--out`
 * @param options.isLookOnly folders that were made for it go too, where nobody has used them
 * @returns bytes that are free there
 * @throws OUTPUT_WRITE
 */
export async function probeOutputFolder(
  path: string,
  { isLookOnly = false }: { readonly isLookOnly?: boolean } = {},
): Promise<number> {
  try {
    const made = await mkdir(path, { recursive: true });
    const probe = join(path, `.writable-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
    const { bavail, bsize } = await statfs(path);
    if (isLookOnly && made !== undefined) await removeEmpty(path, made);
    return bavail * bsize;
  } catch (error) {
    throw new OutputError(
      'OUTPUT_WRITE',
      `out: ${path} can't be written (${(error as Error).message}); name a folder that you may ` +
        'write: --out',
      { details: { path }, cause: error },
    );
  }
}

/** From `path` up to `top`. A crawl may have begun there meanwhile: what is not empty stays. */
async function removeEmpty(path: string, top: string): Promise<void> {
  try {
    await rmdir(path);
  } catch {
    return;
  }
  if (path !== top) await removeEmpty(dirname(path), top);
}
