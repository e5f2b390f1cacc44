/** The output folder, tried before a crawl depends on it. */
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OutputError } from '../errors.js';
import { makeFolders } from '../folders.js';

/**
 * Write something there and take it away again, with the folders that were made for it.
 *
 * @param path absolute path of `--out`
 * @returns bytes that are free there
 * @throws OUTPUT_WRITE
 */
export async function probeOutputFolder(path: string): Promise<number> {
  let made: string | undefined;
  try {
    made = makeFolders(path);
    const probe = join(path, `.writable-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    throw new OutputError(
      'OUTPUT_WRITE',
      `out: ${path} can't be written (${(error as Error).message}); name a folder that you may ` +
        'write: --out',
      { details: { path }, cause: error },
    );
  } finally {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
}
