import { constants } from 'node:buffer';
import { PassThrough, Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerLines } from '../../../src/cli/inspect/answer-lines.js';
import { jsonPieces } from '../../../src/cli/inspect/json-pieces.js';
import { runInspectCli } from './inspect-run.js';

const KINDS = ['url', 'robots', 'links', 'sitemap'] as const;

/** Lines of stdout; each must be one JSON object. */
function objectsOf(stdout: string): Record<string, unknown>[] {
  expect(stdout.endsWith('\n') || stdout === '').toBe(true);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const value = JSON.parse(line) as unknown;
      expect(value).toBeTypeOf('object');
      expect(Array.isArray(value)).toBe(false);
      return value as Record<string, unknown>;
    });
}

const toStream = (pieces: readonly string[]) => Readable.from(pieces);

/** Values whose fields are sometimes the right ones, sometimes of the right kind. */
const request = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        href: fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue()),
        base: fc.oneof(fc.webUrl(), fc.string(), fc.constant(null)),
        url: fc.oneof(fc.webUrl(), fc.string()),
        userAgent: fc.string(),
        robotsTxt: fc.string({ unit: 'grapheme' }),
        html: fc.string({ unit: 'binary' }),
        htmlBase64: fc.oneof(fc.base64String(), fc.string()),
        body: fc.string(),
        contentType: fc.oneof(fc.constant('text/html; charset=utf-16'), fc.string()),
        documentCharset: fc.constantFrom('gbk', 'latin1', 'nonsense', ''),
      },
      { requiredKeys: [] },
    ),
  },
);

/** Bytes without a line end. */
const rawLine = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0x0a ? 0x20 : byte))));

describe('orbweaver inspect --stdin, given anything (fuzzed)', () => {
  it.each(KINDS)('answers every request to %s with one JSON object, in order', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 8 }), async (requests) => {
        const lines = requests.map((value) => `${JSON.stringify(value)}\n`);
        const run = await runInspectCli([kind, '--stdin'], lines);
        expect(objectsOf(run.stdout)).toHaveLength(requests.length);
        expect(run).toMatchObject({ exitCode: 0, stderr: '' });
        expect(run.stdout).not.toContain('unexpected:');
      }),
      { numRuns: 60 },
    );
  });

  it('answers every line of any bytes, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rawLine, { maxLength: 6 }),
        fc.integer({ min: 1, max: 50 }),
        async (lines, pieceBytes) => {
          const all = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
          const pieces: Buffer[] = [];
          for (let at = 0; at < all.length; at += pieceBytes) {
            pieces.push(all.subarray(at, at + pieceBytes));
          }
          const run = await runInspectCli(['url', '--stdin'], pieces);
          expect(objectsOf(run.stdout)).toHaveLength(lines.length);
          expect(run.exitCode).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('orbweaver inspect --stdin', () => {
  it('goes on after every kind of wrong line, and says what is wrong and what to do', async () => {
    const lines = [
      '{"href":"http://a.test/1"}',
      '{"href":',
      '',
      '[]',
      '"text"',
      '{"base":"http://a.test/"}',
      '{"href":7}',
      '{"href":"x","colour":"red"}',
      '{"href":"x","documentCharset":"klingon"}',
      '{"href":"http://a.test/2"}',
    ];
    const { stdout, exitCode } = await runInspectCli(['url', '--stdin'], [lines.join('\n')]);
    const answers = objectsOf(stdout);
    expect(exitCode).toBe(0);
    expect(answers.map((answer) => answer['error'] ?? answer['resolved'])).toEqual([
      'http://a.test/1',
      expect.stringMatching(
        /^line: "\{\\"href\\":" is no JSON \(.+\); give one JSON object a line$/,
      ),
      'line: is empty; give one JSON object a line',
      'request: an array is no JSON object; give one with href, base, documentCharset',
      'request: "text" is no JSON object; give one with href, base, documentCharset',
      'href: is missing; give a JSON string such as "/docs/"',
      'href: 7 is no text; give a JSON string',
      'colour: "red" is an unknown field; there are href, base, documentCharset',
      'documentCharset: "klingon" is no encoding; give a label such as "windows-1252"',
      'http://a.test/2',
    ]);
  });

  it('takes line ends of Windows and a byte order mark, as editors write them', async () => {
    const text = '\uFEFF{"href":"http://a.test/1"}\r\n{"href":"http://a.test/2"}\r\n';
    const { stdout } = await runInspectCli(['url', '--stdin'], [text]);
    expect(objectsOf(stdout).map(({ resolved }) => resolved)).toEqual([
      'http://a.test/1',
      'http://a.test/2',
    ]);
  });

  it('refuses what is no base64 and what is no UTF-8', async () => {
    const base = 'https://a.test/';
    const { stdout } = await runInspectCli(
      ['links', '--stdin'],
      [
        `${JSON.stringify({ base, htmlBase64: 'PGEgaHJlZj0v%%' })}\n`,
        `${JSON.stringify({ base, htmlBase64: 'PGEga' })}\n`,
        `${JSON.stringify({ base })}\n`,
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
        // Without padding, which many leave out.
        `${JSON.stringify({ base, htmlBase64: 'PGEgaHJlZj0veD4' })}\n`,
      ],
    );
    expect(objectsOf(stdout)).toEqual([
      { error: expect.stringMatching(/^htmlBase64: .* is no base64; encode the bytes/) as unknown },
      { error: expect.stringMatching(/^htmlBase64: .* is no base64; encode the bytes/) as unknown },
      { error: 'html: is missing; give the text in html or its bytes in htmlBase64' },
      { error: 'line: is no UTF-8; encode it so, bodies as base64' },
      expect.objectContaining({ links: [expect.objectContaining({ url: 'https://a.test/x' })] }),
    ]);
  });

  it('writes an answer that no string could hold, in pieces', async () => {
    const link = { url: `http://a.test/${'x'.repeat(60_000)}`, kind: 'a' };
    const count = 10_000;
    let chars = 0;
    let tail = '';
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chars += chunk.length;
        tail = chunk.subarray(-100).toString();
        done();
      },
    });
    const links = new Array<object>(count).fill(link);
    await answerLines(toStream(['1\n']), output, () => ({ links, title: null }));
    expect(chars).toBeGreaterThan(constants.MAX_STRING_LENGTH);
    expect(chars).toBe(
      count * (JSON.stringify(link).length + 1) + '{"links":[],"title":null}\n'.length - 1,
    );
    expect(tail).toMatch(/xx","kind":"a"}\],"title":null}\n$/);
  });

  it('has the text of JSON.stringify, whatever the answer (fuzzed)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (answer) => {
        expect([...jsonPieces(answer)].join('')).toBe(JSON.stringify(answer));
      }),
    );
  });

  it('never quotes more than the beginning of a long value', async () => {
    const long = 'x'.repeat(100_000);
    const { stdout } = await runInspectCli(
      ['url', '--stdin'],
      [`{"href":"${long}\n`, `{"href":["${long}"]}\n`, `{"${long}":"${long}"}\n`],
    );
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThan(400);
  });

  it('drops a line that is too long without keeping it, and answers the next', async () => {
    const answers: string[] = [];
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        answers.push(chunk.toString());
        done();
      },
    });
    async function* input() {
      for (let n = 0; n < 100; n += 1) yield Buffer.alloc(1024, 0x20);
      yield Buffer.from('\n{"a":1}\n');
      yield Buffer.alloc(2048, 0x20);
    }
    await answerLines(input(), output, (value) => ({ value }), 1024);
    expect(answers).toEqual([
      '{"error":"line: is longer than 1.0 KiB; give a shorter one"}\n',
      '{"value":{"a":1}}\n',
      '{"error":"line: is longer than 1.0 KiB; give a shorter one"}\n',
    ]);
  });

  it('answers each line before the next is there', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const done = answerLines(input, output, (value) => ({ value }));
    const reader = output[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const n of [1, 2, 3]) {
      input.write(`${String(n)}\n`);
      const { value } = await reader.next();
      expect((value as Buffer).toString()).toBe(`{"value":${String(n)}}\n`);
    }
    input.end();
    await done;
  });

  it('waits for its reader, and reads no further meanwhile', async () => {
    let taken = 0;
    async function* input() {
      for (; taken < 1000; taken += 1) yield Buffer.from('1\n');
    }
    const pending: (() => void)[] = [];
    const output = new Writable({
      write(_chunk, _encoding, done) {
        pending.push(done);
      },
    });
    const done = answerLines(input(), output, (value) => ({ value }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBeLessThan(3);
    output.destroy(new Error('gone'));
    output.on('error', () => undefined);
    pending.forEach((resume) => {
      resume();
    });
    await done;
    expect(taken).toBeLessThan(3);
  });
});
