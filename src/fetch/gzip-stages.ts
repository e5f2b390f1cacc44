/**
 * gzip that tolerates one common fault: a body whose last bytes, of the checksum and length after
 * the data, are missing. Data that is cut short stays an error.
 */
import { Transform } from 'node:stream';
import type { Duplex } from 'node:stream';
import { constants, crc32, createGunzip } from 'node:zlib';

const TRAILER_BYTES = 8;
/** How far before the end a trailer is looked for: some servers pad with zeros after it. */
const TAIL_BYTES = 512;
const MEMBER_START = Buffer.from([0x1f, 0x8b, 0x08]);

/** Gunzip that knows which trailer its output so far asks for. */
class ToleratingGunzip {
  readonly stage = createGunzip();
  #crc = 0;
  #size = 0;
  #isTrailerOurs = false;

  constructor() {
    const { stage } = this;
    // Where output appears first: a listener further down would lag behind the input's end.
    const push = stage.push.bind(stage);
    stage.push = (chunk: Buffer | null): boolean => {
      if (chunk) {
        this.#crc = crc32(chunk, this.#crc);
        this.#size += chunk.length;
      }
      return push(chunk);
    };
    // What is wrong once our trailer has been added is that the data before it was not all there.
    const destroy = stage.destroy.bind(stage);
    stage.destroy = (error?: Error) =>
      destroy(
        error && this.#isTrailerOurs
          ? Object.assign(new Error('gzip data is cut short', { cause: error }), {
              code: 'Z_BUF_ERROR',
            })
          : error,
      );
  }

  /** Calls back with the bytes that are missing after an input with this end; null for none. */
  missingAfter(tail: Buffer, done: (missing: Buffer | null) => void): void {
    // Called back once all input before it has been processed.
    this.stage.flush(constants.Z_SYNC_FLUSH, () => {
      const trailer = Buffer.alloc(TRAILER_BYTES);
      trailer.writeUInt32LE(this.#crc, 0);
      trailer.writeUInt32LE(this.#size % 2 ** 32, 4);
      if (tail.includes(trailer)) {
        done(null);
        return;
      }
      let present = TRAILER_BYTES - 1;
      while (present > 0 && !tail.subarray(-present).equals(trailer.subarray(0, present))) {
        present -= 1;
      }
      this.#isTrailerOurs = true;
      done(trailer.subarray(present));
    });
  }
}

/**
 * Two stages: the first watches the input and, at its end, hands gunzip what is missing of the
 * trailer. Were the compressed data not complete, those bytes could not end them properly: the
 * checksum of the output is among them. Input of several members is left alone, for its last
 * checksum covers the last member only.
 */
export function createGunzipStages(): Duplex[] {
  const gunzip = new ToleratingGunzip();
  let tail: Buffer = Buffer.alloc(0);
  let memberStarts = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const joined = Buffer.concat([tail.subarray(-(MEMBER_START.length - 1)), chunk]);
      for (let at = joined.indexOf(MEMBER_START); at >= 0;) {
        memberStarts += 1;
        at = joined.indexOf(MEMBER_START, at + 1);
      }
      tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
      done(null, chunk);
    },
    flush(done) {
      const settle = (): void => {
        if (watch.destroyed || gunzip.stage.destroyed) return;
        if (watch.readableLength > 0) setImmediate(settle);
        else if (memberStarts > 1) done();
        else gunzip.missingAfter(tail, (missing) => done(null, missing ?? undefined));
      };
      settle();
    },
  });
  return [watch, gunzip.stage];
}
