import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCapturedRun } from '../../scripts/capture-history.js';
import '../integration/workflows/quiet.js';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = fileURLToPath(new URL('./histories', import.meta.url));
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort();

const captured = (name: string) => readCapturedRun(join(FOLDER, name));

async function replay(workflowBundle: WorkflowBundleOption, name: string): Promise<void> {
  const { workflowId, history } = captured(name);
  await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
}

function bundle(root: string): Promise<WorkflowBundleOption> {
  const workflowsPath = join(root, 'src/workflows/index.ts');
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

describe('histories of earlier versions', () => {
  let workflowBundle: WorkflowBundleOption;
  beforeAll(async () => {
    workflowBundle = await bundle(REPOSITORY);
  });

  it('cover both workflows, continued, paused, blocked, cancelled and stopped', () => {
    const scenarios = ['plain', 'continued', 'paused', 'blocked', 'cancelled', 'stopped'];
    const names = scenarios.flatMap((name) => [`crawl-${name}-v1.json`, `host-${name}-v1.json`]);
    expect(FILES).toEqual(expect.arrayContaining(names));
    const events = (name: string) => JSON.stringify(captured(name).history);
    for (const kind of ['crawl', 'host']) {
      expect(events(`${kind}-continued-v1.json`)).toContain('CONTINUED_AS_NEW');
      expect(events(`${kind}-cancelled-v1.json`)).toContain('EXECUTION_CANCELED');
    }
  });

  it.each(FILES)('%s replays', async (name) => {
    await replay(workflowBundle, name);
  });
});

describe('a workflow that was changed carelessly', () => {
  let root: string;
  let mutated: WorkflowBundleOption;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'orbweaver-replay-'));
    cpSync(join(REPOSITORY, 'src'), join(root, 'src'), { recursive: true });
    symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
    const mutate = (file: string, from: string, to: string) => {
      const path = join(root, 'src/workflows', file);
      const text = readFileSync(path, 'utf8');
      expect(text.split(from).length, `"${from}" stands once in ${file}`).toBe(2);
      writeFileSync(path, text.replace(from, to));
    };
    mutate(
      'host-workflow.ts',
      '      turn += 1;\n      isWoken',
      '      await condition(() => false, 5);\n      turn += 1;\n      isWoken',
    );
    mutate(
      'crawl-workflow.ts',
      '      polls += 1;',
      '      await frontier.recountCrawl({ crawlId });\n      polls += 1;',
    );
    mutated = await bundle(root);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(FILES)('%s does not replay', async (name) => {
    await expect(replay(mutated, name)).rejects.toThrow(DeterminismViolationError);
  });
});
