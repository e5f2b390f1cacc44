import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { commandLine } from '../../../src/cli/context.js';
import { invocation } from '../../../src/cli/invocation.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

/** What npm sets for a script. */
const npm = (event: string, script: string | undefined) => ({
  npm_lifecycle_event: event,
  npm_lifecycle_script: script,
});

describe('invocation', () => {
  it.each(['crawl', 'orbweaver'])('names the script of package.json after npm run %s', (name) => {
    const [program, run, silent, script = '', dashes] = invocation(npm(name, scripts[name]));
    expect([program, run, silent, dashes]).toEqual(['npm', 'run', '--silent', '--']);
    expect(scripts[script]).toMatch(/node dist\/cli\/main\.js$/);
  });

  it.each([
    ['npx orbweaver', npm('npx', "'orbweaver'")],
    ['npx orbweaver', npm('nightly', 'orbweaver crawl https://example.com/')],
    ['npx orbweaver', npm('nightly', 'rm -rf out && orbweaver crawl https://example.com/')],
    ['orbweaver', {}],
    ['orbweaver', npm('test', 'npm run --silent build && vitest run')],
    ['orbweaver', npm('npx', "'vitest'")],
    ['orbweaver', npm('start', 'node orbweaver-fleet.js')],
  ])('is %s under %o', (expected, env) => {
    expect(invocation(env).join(' ')).toBe(expected);
  });

  it('begins the commands that hints name', () => {
    const env = npm('crawl', scripts['crawl']);
    expect(commandLine(['resume', 'c1'], 'd', env)).toBe(
      'npm run --silent orbweaver -- resume c1 --data-dir d',
    );
  });
});
