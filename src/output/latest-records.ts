/**
 * Which line of all segments holds the last record of each URL: a hash table in typed arrays,
 * outside the JavaScript heap, since a crawl's URLs may be tens of millions.
 */

import { hash } from 'node:crypto';
import type { SinkRecord } from '../contracts/urls.js';

const SLOTS_AT_START = 1024;
/** Numbers of a slot: 4 of the key, line + 1 (0 is a free slot), owner, turn, attempt, wanted. */
const FIELDS = 9;
const LINE = 4;
const OWNER = 5;
const TURN = 6;
const ATTEMPT = 7;
const WANTED = 8;

/**
 * Collects records in the order of their lines and remembers the last of each fingerprint by
 * (owner, turn, attempt), then by position. Owners compare as text.
 *
 * Memory: 36 bytes a slot, slots between 3/8 and 3/4 full, so 48 to 96 bytes a URL (measured at 1.5
 * million: 75.4, none of it on the heap), plus an owner's text for each host. Some 50 million URLs
 * fit, since a typed array ends at 4 GiB. Keys are 128 bits of SHA-256 over the fingerprint: at 10⁹
 * URLs the chance that any two share one is 1.5 × 10⁻²¹.
 */
export class LatestRecords {
  private slots = new Uint32Array(SLOTS_AT_START * FIELDS);
  private used = 0;
  private readonly owners: string[] = [];
  private readonly ownerNumbers = new Map<string, number>();

  /** URLs known. */
  get size(): number {
    return this.used;
  }

  /**
   * Take a record into account.
   *
   * @param line number of its line over all segments, counting up, below 2³² - 1
   * @param wanted whether it shall be exported if it turns out to be the last
   */
  offer(record: SinkRecord, line: number, wanted: boolean): void {
    if (this.used * 4 >= (this.slots.length / FIELDS) * 3) this.grow();
    const key = hash('sha256', record.fingerprint, 'buffer');
    const words = [0, 4, 8, 12].map((at) => key.readUInt32LE(at));
    const at = find(this.slots, words);
    const { slots } = this;
    if (slots[at + LINE] === 0) {
      slots.set(words, at);
      this.used += 1;
    } else if (this.isEarlier(record, at)) return;
    slots[at + LINE] = line + 1;
    slots[at + OWNER] = this.ownerNumber(record.owner);
    slots[at + TURN] = record.turn;
    slots[at + ATTEMPT] = record.attempt;
    slots[at + WANTED] = wanted ? 1 : 0;
  }

  /** A bit for each line, set where it holds a wanted last record. */
  wantedLines(lineCount: number): Uint8Array {
    const bits = new Uint8Array(Math.ceil(lineCount / 8));
    const { slots } = this;
    for (let at = 0; at < slots.length; at += FIELDS) {
      const line = (slots[at + LINE] ?? 0) - 1;
      if (line >= 0 && slots[at + WANTED] === 1) bits[line >>> 3]! |= 1 << (line & 7);
    }
    return bits;
  }

  private isEarlier(record: SinkRecord, at: number): boolean {
    const { slots } = this;
    const owner = this.owners[slots[at + OWNER] ?? 0] ?? '';
    if (record.owner !== owner) return record.owner < owner;
    const turn = slots[at + TURN] ?? 0;
    if (record.turn !== turn) return record.turn < turn;
    return record.attempt < (slots[at + ATTEMPT] ?? 0);
  }

  private ownerNumber(owner: string): number {
    const known = this.ownerNumbers.get(owner);
    if (known !== undefined) return known;
    const number = this.owners.push(owner) - 1;
    this.ownerNumbers.set(owner, number);
    return number;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += FIELDS) {
      if (old[at + LINE] === 0) continue;
      const slot = old.subarray(at, at + FIELDS);
      this.slots.set(slot, find(this.slots, slot));
    }
  }
}

/** Where a key's slot begins: its own, or the free one that it would take (linear probing). */
function find(slots: Uint32Array, key: ArrayLike<number>): number {
  const mask = slots.length / FIELDS - 1;
  for (let slot = (key[0] ?? 0) & mask; ; slot = (slot + 1) & mask) {
    const at = slot * FIELDS;
    if (slots[at + LINE] === 0) return at;
    if (
      slots[at] === key[0] &&
      slots[at + 1] === key[1] &&
      slots[at + 2] === key[2] &&
      slots[at + 3] === key[3]
    ) {
      return at;
    }
  }
}
