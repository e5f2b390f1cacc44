/**
 * gzip that tolerates one common fault: a body whose last 8 bytes (checksum and length) are missing.
 * Everything else that is cut short stays an error.
 */
import { Transform } from 'node:stream';
import type { Duplex } from 'node:stream';
import { constants, crc32, createGunzip } from 'node:zlib';

const TRAILER_BYTES = 8;
/** How far before the end a trailer is looked for: some servers pad with zeros after it. */
const TAIL_BYTES = 512;
const MEMBER_START = Buffer.from([0x1f, 0x8b, 0x08]);

/** Gunzip that also says what trailer the output so far asks for. */
function createChecksummedGunzip(): { gunzip: Duplex & { flushAll(done: () => void): void } } & {
  expectedTrailer(): Buffer;
} {
  const gunzip = createGunzip();
  let crc = 0;
  let size = 0;
  const push = gunzip.push.bind(gunzip);
  // Where output appears first: a listener further down would lag behind the input's end.
  gunzip.push = (chunk: Buffer | null): boolean => {
    if (chunk) {
      crc = crc32(chunk, crc);
      size += chunk.length;
    }
    return push(chunk);
  };
  return {
    gunzip: Object.assign(gunzip, {
      flushAll: (done: () => void) => gunzip.flush(constants.Z_SYNC_FLUSH, done),
    }),
    expectedTrailer: () => {
      const trailer = Buffer.alloc(TRAILER_BYTES);
      trailer.writeUInt32LE(crc, 0);
      trailer.writeUInt32LE(size % 2 ** 32, 4);
      return trailer;
    },
  };
}

/**
 * Two stages: the first watches the input and, at its end, hands the second the trailer that the
 * output so far asks for, unless it came. Were the compressed data not complete, those 8 bytes could
 * not end them properly, and gunzip reports the cut as it always does. Input of several members is
 * left alone: its checksum covers the last one only.
 */
export function createGunzipStages(): Duplex[] {
  const { gunzip, expectedTrailer } = createChecksummedGunzip();
  let tail = Buffer.alloc(0);
  let memberStarts = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const seam = tail.subarray(-(MEMBER_START.length - 1));
      const joined = Buffer.concat([seam, chunk]);
      for (let at = joined.indexOf(MEMBER_START); at >= 0;) {
        memberStarts += 1;
        at = joined.indexOf(MEMBER_START, at + 1);
      }
      tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
      done(null, chunk);
    },
    flush(done) {
      const settle = (): void => {
        if (watch.destroyed || gunzip.destroyed) return;
        if (watch.readableLength > 0) {
          setImmediate(settle);
          return;
        }
        // Called back once all input before it has been processed.
        gunzip.flushAll(() => {
          const trailer = expectedTrailer();
          const isMissing = memberStarts <= 1 && !tail.includes(trailer);
          done(null, isMissing ? trailer : undefined);
        });
      };
      settle();
    },
  });
  return [watch, gunzip];
}
