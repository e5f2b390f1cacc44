/**
 * A response body as it arrives: decoded, bounded in decoded and in wire bytes, collected. Memory
 * is bounded by `maxBytes` whatever is sent: a bomb is stopped at the limit, a drip of tiny chunks
 * is copied together.
 */
import { Readable, Writable, pipeline } from 'node:stream';
import { createDecoders, SNIFF_BYTES } from './content-encoding.js';
import type { Coding } from './content-encoding.js';
import { fetchError } from './failure-policy.js';

/** Encoded bytes may exceed the decoded limit by this much before the body counts as too large. */
const WIRE_SLACK_BYTES = 64 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** Limits and meaning of one body. */
export interface BodyOptions {
  readonly url: string;
  readonly codings: readonly Coding[];
  /** Decoded bytes at most. */
  readonly maxBytes: number;
  readonly onTooLarge: 'fail' | 'truncate';
  /** Called once: with an error, or when the body is complete or has been cut at its limit. */
  readonly onDone: (error: Error | null) => void;
}

/** Bytes copied together in blocks. */
class ByteCollector {
  readonly #blocks: Buffer[] = [];
  #free = 0;
  size = 0;

  append(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      if (this.#free === 0) {
        this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
        this.#free = BLOCK_BYTES;
      }
      const block = this.#blocks.at(-1) as Buffer;
      const copied = chunk.copy(block, BLOCK_BYTES - this.#free, from);
      this.#free -= copied;
      from += copied;
    }
    this.size += chunk.length;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#blocks, this.size);
  }
}

/**
 * Takes the wire's chunks as fast as they come; see BodyOptions for how it reports. The wire is never
 * paused: undici 7 ends the process when a server closes a paused connection
 * (https://github.com/nodejs/undici/issues/5360). What the decoders have no room for is copied
 * together here, and the limit on wire bytes bounds it.
 */
export class BoundedBody {
  readonly #options: BodyOptions;
  readonly #collector = new ByteCollector();
  #head: Buffer = Buffer.alloc(0);
  #source: Readable | null = null;
  /** Bytes that the decoders have no room for yet. */
  #backlog = new ByteCollector();
  #isSourceFull = false;
  #done = false;
  #truncated = false;
  wireBytes = 0;

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  /** Was it cut at maxBytes? */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** What has been collected so far. */
  toBuffer(): Buffer {
    return this.#collector.toBuffer();
  }

  write(chunk: Buffer): void {
    if (this.#done) return;
    this.wireBytes += chunk.length;
    if (this.wireBytes > this.#options.maxBytes + WIRE_SLACK_BYTES) {
      this.#stopAtLimit();
    } else if (this.#options.codings.length === 0) {
      this.#collect(chunk);
    } else if (this.#source) {
      this.#feed(this.#source, chunk);
    } else {
      this.#head = Buffer.concat([this.#head, chunk]);
      if (this.#head.length >= SNIFF_BYTES) this.#open();
    }
  }

  /** The wire's body is complete. */
  end(): void {
    if (this.#done) return;
    if (this.#options.codings.length === 0 || this.wireBytes === 0) {
      this.#finish(null);
      return;
    }
    const source = this.#source ?? this.#open();
    this.#flush(source);
    source.push(null);
  }

  /** Stops everything and frees the decoders; nothing is reported after it. */
  discard(): void {
    this.#done = true;
    this.#backlog = new ByteCollector();
    this.#source?.destroy();
  }

  #open(): Readable {
    const source = new Readable({
      highWaterMark: BLOCK_BYTES,
      read: () => {
        this.#isSourceFull = false;
        this.#flush(source);
      },
    });
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, next) => {
        this.#collect(chunk);
        next();
      },
    });
    this.#source = source;
    const decoders = createDecoders(this.#options.codings, this.#head);
    pipeline([source, ...decoders, sink], (error) => this.#finish(error ?? null));
    source.push(this.#head);
    return source;
  }

  #feed(source: Readable, chunk: Buffer): void {
    if (this.#isSourceFull) this.#backlog.append(chunk);
    else this.#isSourceFull = !source.push(chunk);
  }

  #flush(source: Readable): void {
    if (this.#backlog.size === 0) return;
    const backlog = this.#backlog.toBuffer();
    this.#backlog = new ByteCollector();
    this.#isSourceFull = !source.push(backlog);
  }

  #collect(chunk: Buffer): void {
    if (this.#done) return;
    const room = this.#options.maxBytes - this.#collector.size;
    this.#collector.append(chunk.length <= room ? chunk : chunk.subarray(0, room));
    if (chunk.length > room) this.#stopAtLimit();
  }

  #stopAtLimit(): void {
    const { url, maxBytes, onTooLarge } = this.#options;
    this.#truncated = true;
    const error = onTooLarge === 'truncate' ? null : bodyTooLarge(url, maxBytes);
    this.#finish(error);
    this.#source?.destroy();
  }

  #finish(error: Error | null): void {
    if (this.#done) return;
    this.#done = true;
    this.#options.onDone(error);
  }
}

/** The error for a body (or a Content-Length) over the limit. */
export function bodyTooLarge(url: string, maxBytes: number): Error {
  return fetchError(
    'FETCH_BODY_TOO_LARGE',
    `The body is larger than maxBytes, ${maxBytes} bytes (${url}); a larger maxBytes admits it`,
    { details: { url, maxBytes } },
  );
}
