/** How a person may call this program again: the words before the command, as they did it now. */

/** npm's own lines stay off stdout, which may be a pipe. */
const NPM_RUN = ['npm', 'run', '--silent', 'orbweaver', '--'] as const;
const NPX = ['npx', 'orbweaver'] as const;
const PLAIN = ['orbweaver'] as const;

/** The environment that npm gives to what it runs. */
type NpmEnv = Readonly<Record<string, string | undefined>>;

/**
 * `npm run --silent orbweaver --` for someone who runs a script of this repository, `npx orbweaver`
 * for someone who runs it by npx or in a script of another package, else `orbweaver`.
 *
 * Source: npm's environment for scripts (npm_lifecycle_event is `npx` for npx and `npm exec`).
 */
export function invocation(env: NpmEnv = process.env): readonly string[] {
  const script = env['npm_lifecycle_script'] ?? '';
  const isNpx = env['npm_lifecycle_event'] === 'npx';
  if (!isNpx && script.includes('node dist/cli/main.js')) return NPM_RUN;
  return /(?:^|[\s'"])orbweaver(?:$|[\s'"])/.test(script) ? NPX : PLAIN;
}
