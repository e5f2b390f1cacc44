import { defineConfig } from 'vitest/config';

// Real servers start once per run (test/support/global-setup.ts). Forked processes, because
// Temporal's native module does not survive worker threads; files run one after another, because
// the machine that proves durability must not starve the servers it proves it on.
const shared = { pool: 'forks' as const, environment: 'node' as const };

// .ci/run reads the true counts from a report.
const report = process.env['VITEST_JSON'];

export default defineConfig({
  test: {
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report && { outputFile: { json: report } }),
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/{unit,docs}/**/*.test.ts'],
          // Many megabytes and many thousand documents on a machine that others use too.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: [
            'test/{integration,replay}/**/*.test.ts',
            ...(process.env['RECORD_HISTORIES'] ? ['test/replay/record-histories.ts'] : []),
          ],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/shared-bundle.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/shared-bundle.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
