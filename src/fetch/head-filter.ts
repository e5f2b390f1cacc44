/**
 * Between an HTTP/1.1 connection and undici: undici closes the connection at a 100 Continue that
 * nobody asked for, which a client must be able to skip (RFC 9110 §15.2), and its parser is strict
 * about the form of heads. So the bytes of each head pass here first.
 */
import type { Socket } from 'node:net';
import { tidyHead } from './tidy-head.js';

const START = Buffer.from('HTTP/');
/** Informational answers; 101 is not one: it changes the protocol. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/;
/** Bytes before a chunk that an empty line may begin in. */
const OVERLAP = 2;

/** The filter of one connection. */
export class HeadFilter {
  readonly #maxHeadBytes: number;
  /** Of a head that is not whole yet. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isExpected = false;

  /** @param maxHeadBytes a head that is longer is given on as it is: the parser refuses it */
  constructor(socket: Socket, maxHeadBytes: number) {
    this.#maxHeadBytes = maxHeadBytes;
    const read = socket.read.bind(socket) as () => Buffer | null;
    socket.read = () => {
      for (;;) {
        const chunk = read();
        if (chunk === null || !this.#isExpected) return chunk;
        const passed = this.#take(chunk);
        if (passed !== null) return passed;
      }
    };
  }

  /** A request is about to be sent: what comes next is a head. */
  expectHead(): void {
    this.#isExpected = true;
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** @returns what may pass now; null: the head goes on */
  #take(chunk: Buffer): Buffer | null {
    const before = Buffer.concat(this.#held.slice(-OVERLAP)).subarray(-OVERLAP);
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    const end = endOfHead(Buffer.concat([before, chunk]));
    if (end === null) {
      const isTooLong = this.#heldBytes > this.#maxHeadBytes;
      return isTooLong || !mayBegin(this.#held) ? this.#release() : null;
    }
    const all = this.#release();
    const headBytes = all.length - chunk.length - before.length + end;
    const [head, rest] = [all.subarray(0, headBytes), all.subarray(headBytes)];
    if (INTERIM.test(head.subarray(0, 16).toString('latin1'))) {
      this.expectHead();
      return rest.length === 0 ? null : this.#take(rest);
    }
    const tidy = tidyHead(head);
    return tidy === head ? all : Buffer.concat([tidy, rest]);
  }

  #release(): Buffer {
    const [only] = this.#held;
    const all = this.#held.length === 1 && only ? only : Buffer.concat(this.#held);
    this.#isExpected = false;
    this.#held = [];
    return all;
  }
}

/** Where the empty line after a head ends; null while there is none. */
function endOfHead(bytes: Buffer): number | null {
  const [crlf, lf] = [bytes.indexOf('\n\r\n'), bytes.indexOf('\n\n')];
  if (crlf < 0 && lf < 0) return null;
  return lf < 0 || (crlf >= 0 && crlf < lf) ? crlf + 3 : lf + 2;
}

/** Can these be the first bytes of a response? Others are not held: the parser says what is wrong. */
function mayBegin(held: readonly Buffer[]): boolean {
  const first = Buffer.concat(held.slice(0, START.length)).subarray(0, START.length);
  return first.equals(START.subarray(0, first.length));
}
