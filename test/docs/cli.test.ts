/** docs/cli.md and the program name the same commands, flags and exit codes. */
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { createContext } from '../../src/cli/context.js';
import { EXIT } from '../../src/cli/exit-codes.js';
import { buildProgram } from '../../src/cli/program.js';

const document = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
const program = buildProgram(
  createContext({
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    stdin: new PassThrough(),
    env: {},
    cwd: '/',
  }),
);

/** Text below `### <name>`, up to the next heading. */
function sectionOf(name: string): string {
  const [, text = ''] = document.split(new RegExp(`^### ${name}$`, 'm'));
  return text.split(/^##/m)[0] ?? '';
}

/** Options of a command and of the commands below it, which share its section. */
const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...command.commands.flatMap(optionsOf),
];

const flagsIn = (text: string) => new Set(text.match(/--[a-z][a-z-]+/g) ?? []);
/** Said once for all commands. */
const COMMON = flagsIn(document.split('## Commands')[1]?.split('###')[0] ?? '');

describe('docs/cli.md', () => {
  it('has a section for each command, in the order of --help', () => {
    const sections = [...document.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(program.commands.map((command) => command.name()));
  });

  it.each(program.commands)('lists every flag of $_name', (command) => {
    const documented = flagsIn(sectionOf(command.name()));
    // Hidden flags are there to be refused with a reason.
    const missing = optionsOf(command)
      .filter(({ hidden }) => !hidden)
      .map(({ long }) => long ?? '')
      .filter((long) => !documented.has(long) && !COMMON.has(long));
    expect(missing).toEqual([]);
  });

  it.each(program.commands)('names no flag that $_name lacks', (command) => {
    const known = new Set(optionsOf(command).map(({ long }) => long));
    const strange = [...flagsIn(sectionOf(command.name()))].filter((flag) => !known.has(flag));
    expect(strange).toEqual([]);
  });

  it('lists every exit code, and no other', () => {
    const listed = [...document.matchAll(/^\| (\d+) +\| `(\w+)`/gm)].map(([, code, name]) => [
      name,
      Number(code),
    ]);
    expect(Object.fromEntries(listed)).toEqual(EXIT);
  });
});
