/** The files of one data directory: where each is, and the two records that are kept in it. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../errors.js';
import { makeFolders } from '../folders.js';
import type { ProcessIdentity } from './process-identity.js';

/** Absolute paths in a data directory. */
export interface DataDir {
  readonly root: string;
  readonly temporalDb: string;
  readonly redisDir: string;
  readonly logsDir: string;
  /** Ports that the servers had last, kept so that addresses survive a restart. */
  readonly portsFile: string;
  /** Server processes that were started, so that a later keeper can end what is left. */
  readonly processesFile: string;
  /** Where the running keeper listens. */
  readonly keeperFile: string;
}

/** Who keeps the servers, and where it listens. */
export interface KeeperAddress extends ProcessIdentity {
  readonly socketPath: string;
}

/**
 * The layout of a data directory; it is made when missing.
 *
 * @throws CONFIG_INVALID_OPTION when it can't be made or written
 */
export function openDataDir(path: string): DataDir {
  try {
    makeFolders(join(path, 'logs'));
    // Two spellings of one directory must meet at one keeper.
    const root = realpathSync(path);
    const probe = join(root, `.writable-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return {
      root,
      temporalDb: join(root, 'temporal.db'),
      redisDir: join(root, 'redis'),
      logsDir: join(root, 'logs'),
      portsFile: join(root, 'ports.json'),
      processesFile: join(root, 'processes.json'),
      keeperFile: join(root, 'keeper.json'),
    };
  } catch (error) {
    throw new ConfigError(
      'CONFIG_INVALID_OPTION',
      `dataDir: ${path} can't be used (${(error as Error).message}). Name a directory that you may write.`,
      { cause: error },
    );
  }
}

/** Longest socket path, bytes: sun_path holds 104 on macOS, 108 on Linux, the final 0 included. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Where a keeper may listen, best first: in the data directory; else, when that path is too long
 * or its file system knows no sockets, in a directory of this user's under the system's tmp.
 */
export function socketPaths(dataDir: DataDir): string[] {
  const hash = createHash('sha256').update(dataDir.root).digest('hex').slice(0, 16);
  return [join(dataDir.root, 'keeper.sock'), join(privateTmpDir(), `${hash}.sock`)].filter(
    (path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES,
  );
}

function privateTmpDir(): string {
  const { uid } = userInfo();
  const dir = join(tmpdir(), `orbweaver-${uid}`);
  makeFolders(dir, 0o700);
  const stat = lstatSync(dir);
  if (!stat.isDirectory() || stat.uid !== uid) {
    throw new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `${dir} belongs to somebody else; remove it, or choose a data directory with a shorter path.`,
    );
  }
  return dir;
}

/** A JSON file of the data directory; undefined when it is missing or torn. */
export function readRecord<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Replace a JSON file in one step. */
export function writeRecord(file: string, value: unknown): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value)}\n`);
  renameSync(temporary, file);
}
