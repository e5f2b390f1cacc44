/**
 * Content codings (RFC 9110 §8.4): what is offered, what a response names, and the streams that
 * undo it. Labels lie in practice, so the outermost coding is checked against the first bytes.
 */
import type { Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import { fetchError } from './failure-policy.js';
import { createGunzipStages } from './gzip-stages.js';
import type { ResponseHeaders } from './response-head.js';

/** A coding that this process can undo. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Stacked codings at most: each may multiply the work, and nobody honest stacks more. */
const MAX_CODINGS = 3;
/** Bytes of a body that the check of its label needs. */
export const SNIFF_BYTES = 4;
/** Values that mean "not encoded", as they occur: a charset here is a common slip. */
const NO_CODING = /^(identity|none|utf-?8|)$/;

type ZstdFactory = () => Duplex;
/** Node has it from 22.15 on; it is neither offered nor undone where it is missing. */
const createZstd = (zlib as { createZstdDecompress?: ZstdFactory }).createZstdDecompress;

/** Value of Accept-Encoding: what this Node can undo. */
export const ACCEPT_ENCODING = `gzip, deflate, br${createZstd ? ', zstd' : ''}`;

const NAMES: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  ...(createZstd ? { zstd: 'zstd' as const } : {}),
};

/**
 * The codings of a response, in the order in which they were applied.
 *
 * @throws FETCH_BAD_ENCODING for an unknown coding or more than three
 */
export function contentCodings(headers: ResponseHeaders, url: string): Coding[] {
  const values = (headers['content-encoding'] ?? []).join(',');
  const tokens = values
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
    .filter((token) => !NO_CODING.test(token));
  if (tokens.length > MAX_CODINGS) {
    throw fetchError(
      'FETCH_BAD_ENCODING',
      `The body is encoded ${tokens.length} times, more than ${MAX_CODINGS} (${url})`,
      { details: { url } },
    );
  }
  return tokens.map((token) => {
    const coding = NAMES[token];
    if (coding) return coding;
    const named = token.slice(0, 40);
    throw fetchError('FETCH_BAD_ENCODING', `Content-Encoding "${named}" is unknown (${url})`, {
      details: { url, coding: named },
    });
  });
}

const isZlib = (head: Buffer): boolean =>
  head.length >= 2 && ((head[0] ?? 0) & 0x0f) === 8 && head.readUInt16BE(0) % 31 === 0;

/** Is the label of the outermost coding plainly false? br and raw deflate can't be told. */
function isFalseLabel(coding: Coding, head: Buffer): boolean {
  if (coding === 'gzip') return head[0] !== 0x1f || head[1] !== 0x8b;
  if (coding === 'zstd') return head.readUInt32LE(0) !== 0xfd2fb528;
  return false;
}

function stagesFor(coding: Coding, head: Buffer | null): Duplex[] {
  switch (coding) {
    case 'gzip':
      return createGunzipStages();
    case 'deflate':
      // The standard means zlib's format; some servers send the bare one. Within a stack: zlib's.
      return [head === null || isZlib(head) ? zlib.createInflate() : zlib.createInflateRaw()];
    case 'br':
      return [zlib.createBrotliDecompress()];
    case 'zstd':
      return createZstd ? [createZstd()] : [];
  }
}

/**
 * The streams that undo the codings, first one first.
 *
 * @param head first bytes of the body (SNIFF_BYTES unless it is shorter). Content that is plainly
 *   not what its outermost label says is taken as it is, as far as that label goes.
 */
export function createDecoders(codings: readonly Coding[], head: Buffer): Duplex[] {
  const [outermost, ...inner] = codings.toReversed();
  if (outermost === undefined) return [];
  const padded = Buffer.concat([head, Buffer.alloc(SNIFF_BYTES)]);
  // A lie about the outer coding leaves no reason to believe in the inner ones.
  if (isFalseLabel(outermost, padded)) return [];
  return [...stagesFor(outermost, head), ...inner.flatMap((coding) => stagesFor(coding, null))];
}
