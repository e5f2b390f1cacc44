/** What a test server saw, request by request. */

/**
 * One request.
 *
 * Times are milliseconds of the machine's monotonic clock (CLOCK_MONOTONIC, the same in every
 * process of a machine, untouched by clock changes), see {@link monotonicMs}.
 */
export interface RequestRecord {
  readonly id: number;
  /** Lower case, without the default port. */
  readonly host: string;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly kind: 'robots' | 'sitemap' | 'page' | 'other';
  readonly userAgent: string;
  /** Which connection it came over, counted per server. */
  readonly connection: number;
  /** When request line and headers had arrived. */
  readonly startMs: number;
  /**
   * When the answer ended; null while it is being given. For an answer given whole it is the moment
   * just before its last bytes went to the socket: nobody can have the end earlier, so a gap
   * measured from here is never shorter than the gap that the client kept. For one broken off it
   * is the moment at which the server saw the connection close.
   */
  readonly endMs: number | null;
  /** Status sent; 0 when none was. */
  readonly status: number;
  /** Retry-After sent, in milliseconds; null for none. */
  readonly retryAfterMs: number | null;
  /** Did the connection close before the answer was out? */
  readonly aborted: boolean;
}

/** Now, on the clock of the records. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

type Open = { -readonly [K in keyof RequestRecord]: RequestRecord[K] };

/** A record that the server is still filling in. */
export type OpenRecord = Open;

/** Collects records in memory: some 300 bytes each. */
export class RequestLog {
  private records: Open[] = [];
  private nextId = 1;

  /** Note that a request has arrived. */
  begin(
    facts: Pick<RequestRecord, 'host' | 'method' | 'path' | 'kind' | 'userAgent' | 'connection'>,
  ): OpenRecord {
    const record: Open = {
      id: this.nextId,
      ...facts,
      startMs: monotonicMs(),
      endMs: null,
      status: 0,
      retryAfterMs: null,
      aborted: false,
    };
    this.nextId += 1;
    this.records.push(record);
    return record;
  }

  /** All records in order of arrival, those in flight too. */
  all(): readonly RequestRecord[] {
    return this.records;
  }

  clear(): void {
    this.records = [];
  }
}
