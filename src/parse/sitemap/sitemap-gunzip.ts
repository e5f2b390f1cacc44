/**
 * Gzip as sitemaps have it: several members, zeros or other bytes after the last, a missing end. It
 * yields what can be inflated and says what was wrong, where zlib's own stream would throw away
 * output together with the error.
 *
 * @see RFC 1952
 */

import { constants, crc32, createInflateRaw, type InflateRaw } from 'node:zlib';

/**
 * Compressed bytes that are given to zlib at once: what is lost before damaged data is no more, and a
 * bomb inflates to about a megabyte at a time.
 */
const STEP_BYTES = 1024;
const TRAILER_BYTES = 8;

/** Does a body begin like gzip? Names and content types often lie, the first bytes do not. */
export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/**
 * Inflate a gzip file piece by piece. It never throws: damage ends it.
 *
 * @param onFault told what was wrong, once per fault
 */
export async function* gunzip(
  body: Buffer,
  onFault: (message: string) => void,
): AsyncGenerator<Buffer> {
  let at = 0;
  while (at < body.length) {
    const start = at + headerBytes(body.subarray(at));
    if (start === at) {
      const rest = body.subarray(at);
      // Zeros fill the last block of a tape or disk.
      if (at === 0) onFault('damaged gzip data (no header): nothing can be read');
      else if (rest.some((byte) => byte !== 0)) {
        onFault(`${rest.length} bytes after the gzip data: left out`);
      }
      return;
    }
    const end = yield* inflateMember(body.subarray(start), onFault);
    if (end === null) return;
    at = start + end;
  }
}

/** Yields what one member holds; returns the bytes that it took, trailer included; null: damaged. */
async function* inflateMember(
  data: Buffer,
  onFault: (message: string) => void,
): AsyncGenerator<Buffer, number | null> {
  const stage = new InflateSteps();
  let checksum = 0;
  try {
    for (let at = 0; at < data.length; at += STEP_BYTES) {
      const step = await stage.write(data.subarray(at, at + STEP_BYTES));
      for (const piece of step.pieces) {
        checksum = crc32(piece, checksum);
        yield piece;
      }
      if (step.state === 'damaged') {
        onFault('damaged gzip data: read up to there');
        return null;
      }
      if (step.state === 'ended') return trailerEnd(data, stage.bytesTaken, checksum, onFault);
    }
    // Data that ends with its last byte is told from data that is cut by whether it takes more.
    const { state } = await stage.write(Buffer.alloc(TRAILER_BYTES));
    const isWhole = state === 'ended' && stage.bytesTaken <= data.length;
    onFault(`gzip data is cut short${isWhole ? ' in its checksum' : ': read up to there'}`);
    return null;
  } finally {
    stage.close();
  }
}

/** Checks the trailer after `bytes` of deflate data. */
function trailerEnd(
  data: Buffer,
  bytes: number,
  checksum: number,
  onFault: (message: string) => void,
): number | null {
  const end = bytes + TRAILER_BYTES;
  if (data.length < end) {
    onFault('gzip data is cut short in its checksum');
    return null;
  }
  if (data.readUInt32LE(bytes) !== checksum) onFault('damaged gzip data: its checksum differs');
  return end;
}

/** Length of a member's header; 0 where there is none. */
function headerBytes(data: Buffer): number {
  const [id1, id2, method, flags = 0] = data;
  if (id1 !== 0x1f || id2 !== 0x8b || method !== 8 || data.length < 10) return 0;
  let at = 10;
  if (flags & 0x04) at += 2 + (data.length >= at + 2 ? data.readUInt16LE(at) : 0);
  // Name and comment end with a zero.
  for (const flag of [0x08, 0x10]) {
    if (!(flags & flag)) continue;
    const zero = data.indexOf(0, at);
    if (zero < 0) return 0;
    at = zero + 1;
  }
  if (flags & 0x02) at += 2;
  return at < data.length ? at : 0;
}

interface Step {
  readonly pieces: readonly Buffer[];
  readonly state: 'more' | 'ended' | 'damaged';
}

/** Raw inflate, one write at a time, each with its output. */
class InflateSteps {
  private readonly stage: InflateRaw = createInflateRaw({ flush: constants.Z_SYNC_FLUSH });
  private pieces: Buffer[] = [];
  private state: Step['state'] = 'more';
  private resolve: () => void = () => {};

  constructor() {
    this.stage.on('data', (piece: Buffer) => this.pieces.push(piece));
    this.stage.once('end', () => this.finish('ended'));
    this.stage.once('error', () => this.finish('damaged'));
  }

  /** Input that was inflated; less than what was written where the data ended within it. */
  get bytesTaken(): number {
    return this.stage.bytesWritten;
  }

  async write(chunk: Buffer): Promise<Step> {
    await new Promise<void>((resolve) => {
      this.resolve = resolve;
      // Neither at the end of the data nor at damage is the callback sure to be called.
      this.stage.write(chunk, () => resolve());
    });
    const { pieces, state } = this;
    this.pieces = [];
    return { pieces, state };
  }

  close(): void {
    this.stage.destroy();
  }

  private finish(state: Step['state']): void {
    this.state = state;
    this.resolve();
  }
}
