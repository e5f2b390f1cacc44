/** Making folders that people name. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Make a folder with its missing parents, one by one. Node's recursive mkdir tries for ever where a
 * file system answers "no such parent" for a parent that exists (/proc, some network mounts).
 *
 * @param mode of the folders that are made; default as the umask says
 * @returns the uppermost folder that was made; undefined when all were there
 * @throws what the file system says
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) {
    missing.push(folder);
    if (dirname(folder) === folder) break;
  }
  let first: string | undefined;
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, mode);
      first ??= folder;
    } catch (error) {
      // Somebody else has just made it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    }
  }
  return first;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
