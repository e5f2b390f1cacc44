/** Where outcomes go. The one seam for JSONL, WARC, Parquet, object stores and page handlers. */

import type { SinkRecord } from '../contracts/urls.js';

/** Takes the records of final outcomes. Safe for any number of callers at once. */
export interface PageSink {
  /**
   * Keep records. Once it resolves they survive a power cut; only then may their URLs be completed.
   * Appending a record again, because the reply was lost, is harmless: readers keep one per URL.
   *
   * @throws OUTPUT_WRITE (retryable): none of these records may be taken as kept
   */
  append(records: readonly SinkRecord[]): Promise<void>;
  /** Finish what is under way and let go of files; later appends are refused. */
  close(): Promise<void>;
}
