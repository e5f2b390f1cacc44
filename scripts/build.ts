/**
 * Build `dist`: compile, copy the Lua scripts, bundle the workflows.
 * Does nothing when `dist` is newer than every source, so that `npm run crawl` starts at once.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');
const dist = join(root, 'dist');
const stamp = join(dist, '.built');

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const inputs = [src, join(root, 'package.json'), join(root, 'tsconfig.build.json')];
if (existsSync(stamp) && inputs.every((path) => newest(path) < statSync(stamp).mtimeMs)) {
  process.exit(0);
}

rmSync(dist, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  { stdio: 'inherit' },
);
cpSync(join(src, 'frontier/lua'), join(dist, 'frontier/lua'), { recursive: true });
const { code } = await bundleWorkflowCode({
  workflowsPath: join(dist, 'workflows/index.js'),
  logger: { ...silent(), error: console.error, warn: console.error },
});
writeFileSync(join(dist, 'workflow-bundle.js'), code);
chmodSync(join(dist, 'cli/main.js'), 0o755);
writeFileSync(stamp, '');

function silent() {
  const none = () => undefined;
  return { log: none, trace: none, debug: none, info: none, warn: none, error: none };
}
