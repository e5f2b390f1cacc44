/** The workflows as a worker loads them: bundled at build time, or on the spot from the sources. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';
import { readyBundle } from './ready-bundle.js';

let fromSources: Promise<WorkflowBundleOption> | undefined;

export function workflowBundle(): Promise<WorkflowBundleOption> {
  const ready = readyBundle();
  if (ready !== undefined) return Promise.resolve({ codePath: ready });
  const built = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
  if (existsSync(built)) return Promise.resolve({ codePath: built });
  const isTypeScript = import.meta.url.endsWith('.ts');
  const entry = new URL(`../workflows/index.${isTypeScript ? 'ts' : 'js'}`, import.meta.url);
  fromSources ??= bundleWorkflowCode({
    workflowsPath: fileURLToPath(entry),
    logger: new DefaultLogger('WARN'),
  });
  return fromSources;
}
