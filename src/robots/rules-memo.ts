/** Parsed rules that are at hand, so that a file is not parsed for every page that it governs. */

import { parseRobots, type RobotsRules } from './rules.js';

const MAX_FILES = 1000;
/** Characters of all kept files: parsed rules take some ten times the room of their text. */
const MAX_CHARS = 16 * 1024 * 1024;

/** The least recently used files go when there are too many, or too large ones. */
export class RulesMemo {
  private readonly kept = new Map<string, { readonly body: string; readonly rules: RobotsRules }>();
  private chars = 0;

  /** Files that are kept now. */
  get size(): number {
    return this.kept.size;
  }

  /**
   * @param origin whose file it is; one file is kept for it, the last
   * @param body the file's bytes in base64
   * @param url where the file came from
   */
  of(origin: string, body: string, url: string): RobotsRules {
    const known = this.kept.get(origin);
    if (known !== undefined) {
      this.kept.delete(origin);
      this.chars -= known.body.length;
    }
    const isSame = known?.body === body;
    const entry = isSame ? known : { body, rules: parseRobots(Buffer.from(body, 'base64'), url) };
    this.kept.set(origin, entry);
    this.chars += body.length;
    while (this.kept.size > 1 && (this.kept.size > MAX_FILES || this.chars > MAX_CHARS)) {
      this.dropOldest();
    }
    return entry.rules;
  }

  private dropOldest(): void {
    for (const [origin, { body }] of this.kept) {
      this.kept.delete(origin);
      this.chars -= body.length;
      return;
    }
  }
}
