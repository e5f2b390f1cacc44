/**
 * One JSON object a line in, one out, in order, each as soon as it is there. Whatever a line holds,
 * one line answers it, at worst `{"error": …}`, and the next is read.
 */
import { isUtf8 } from 'node:buffer';
import type { Writable } from 'node:stream';
import { CrawlError } from '../../errors.js';
import { formatBytes } from '../display/format.js';
import { jsonPieces } from './json-pieces.js';
import { refuse } from './request-fields.js';
import { requestLines, type RequestLine } from './request-lines.js';

/** Longest line: a body of some 190 MB as base64; a string of JavaScript holds not much more. */
export const MAX_LINE_BYTES = 256 * 1024 ** 2;

/** Answers one request. @throws what is said as its error */
export type Answer = (request: unknown) => object | Promise<object>;

/** Answer all lines of `input`; ends with it, or when nobody reads the answers any longer. */
export async function answerLines(
  input: AsyncIterable<Buffer | string>,
  output: Writable,
  answer: Answer,
  maxBytes: number = MAX_LINE_BYTES,
): Promise<void> {
  for await (const line of requestLines(input, maxBytes)) {
    if (!(await writeJson(await answerOf(line, answer, maxBytes), output))) return;
  }
}

/**
 * Write a JSON object as one line, at the reader's pace.
 *
 * @returns false when the reader is gone
 */
export async function writeJson(answer: object, output: Writable): Promise<boolean> {
  let last = '';
  for (const piece of jsonPieces(answer)) {
    if (last !== '' && !(await write(output, last))) return false;
    last = piece;
  }
  return write(output, `${last}\n`);
}

async function answerOf(line: RequestLine, answer: Answer, maxBytes: number): Promise<object> {
  try {
    return await answer(parse(line, maxBytes));
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function parse(line: RequestLine, maxBytes: number): unknown {
  if (line === null) {
    return refuse('line', undefined, `is longer than ${formatBytes(maxBytes)}; give a shorter one`);
  }
  if (!isUtf8(line)) refuse('line', undefined, 'is no UTF-8; encode it so, bodies as base64');
  // A byte order mark in front is what some editors write (RFC 8259 §8.1 lets it be ignored).
  const text = line.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') refuse('line', undefined, 'is empty; give one JSON object a line');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // The message of the engine quotes the text, which may be long.
    const why = (cause as Error).message.replace(/,? ?"[^]*$/, '').slice(0, 100);
    return refuse('line', text, `is no JSON (${why}); give one JSON object a line`);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof CrawlError) return error.message;
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`;
}

/** @returns false when the reader is gone */
function write(output: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => {
      resolve(!error);
    });
  });
}
