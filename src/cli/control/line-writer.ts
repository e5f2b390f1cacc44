/** Lines to stdout at the reader's pace: neither a slow pipe nor a closed one costs memory. */
import type { Writable } from 'node:stream';
import { OutputError } from '../../errors.js';

const BATCH_CHARS = 64 * 1024;

/** Writes lines in batches; ends quietly when the reader has seen enough. */
export class LineWriter {
  /** The reader is gone (`| head`): nothing more need be written. */
  isClosed = false;
  private readonly stream: Writable;
  private batch = '';
  private failure: Error | undefined;

  constructor(stream: Writable) {
    this.stream = stream;
    this.stream.on('error', this.onError);
  }

  /** @returns false when nobody reads any longer */
  async line(text: string): Promise<boolean> {
    this.batch += `${text}\n`;
    if (this.batch.length >= BATCH_CHARS) await this.flush();
    return !this.isClosed;
  }

  /** Write what is left. @throws OUTPUT_WRITE where the stream failed, unless its reader is gone */
  async end(): Promise<void> {
    await this.flush();
    // The event of a failed write comes after its callback: then the listener must be there still.
    if (!this.isClosed) this.stream.off('error', this.onError);
  }

  private async flush(): Promise<void> {
    const text = this.batch;
    this.batch = '';
    if (text === '' || this.isClosed) return;
    await new Promise<void>((resolve) => {
      this.stream.write(text, (error) => {
        if (error) this.onError(error);
        resolve();
      });
    });
    if (this.failure) throw this.failure;
  }

  private readonly onError = (error: NodeJS.ErrnoException): void => {
    this.isClosed = true;
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') {
      this.failure = unwritable(error);
    }
  };
}

/** What is said where stdout fails, a full disk behind it for one. */
export function unwritable(cause: Error): OutputError {
  const message = `stdout: can't be written, ${cause.message}; make room, or write elsewhere`;
  return new OutputError('OUTPUT_WRITE', message, { cause });
}
