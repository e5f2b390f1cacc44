import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';

/** Modules of the bundle: webpack names each by its path. */
async function bundledModules(): Promise<string[]> {
  const silent = () => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../../src/workflows/index.ts', import.meta.url)),
    logger: {
      log: silent,
      trace: silent,
      debug: silent,
      info: silent,
      warn: silent,
      error: silent,
    },
  });
  return [...code.matchAll(/^\/\*\*\*\/ "([^"]+)":?/gm)].map((match) => match[1]!);
}

describe('the workflow bundle', () => {
  it('holds only contracts, workflows and Temporal: what changes is not replayed', async () => {
    const modules = await bundledModules();
    expect(modules).toContain('./src/workflows/host-workflow.ts');
    expect(modules).toContain('./src/contracts/workflow-ids.ts');
    const own = modules.filter((name) => name.startsWith('./src/'));
    expect(own.filter((name) => !/^\.\/src\/(contracts|workflows)\//.test(name))).toEqual([]);
    const packages = modules
      .filter((name) => name.startsWith('./node_modules/'))
      .map((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)![1]!);
    // What Temporal's own workflow library brings along.
    const allowed = ['nexus-rpc', 'long', 'ms'];
    const foreign = packages.filter((name) => !name.startsWith('@temporalio/'));
    expect([...new Set(foreign)].filter((name) => !allowed.includes(name))).toEqual([]);
    expect(packages).not.toContain('@temporalio/activity');
    expect(packages).not.toContain('@temporalio/client');
    expect(modules.filter((name) => name.startsWith('node:'))).toEqual([]);
  }, 60_000);
});
