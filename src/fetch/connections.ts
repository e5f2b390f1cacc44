/**
 * The worker's connections: one per origin (fetches of a host are serial), kept alive between
 * fetches, shared by crawls with the same address rules, bounded in number and idle time.
 */
import { Client } from 'undici';
import { MAX_HEADER_BYTES, OriginConnector } from './connector.js';
import type { ConnectRules } from './connector.js';

/** Idle HTTP/1.1 connections are closed after this, or sooner where the server says so. */
const KEEP_ALIVE_MS = 15_000;
/** Origins without a fetch for so long are forgotten, HTTP/2 sessions closed. */
const IDLE_ORIGIN_MS = 30_000;
const SWEEP_MS = 10_000;
const MAX_IDLE_ORIGINS = 1_000;

interface Entry {
  readonly key: string;
  readonly client: Client;
  readonly connector: OriginConnector;
  inUse: number;
  isRetired: boolean;
  idleSinceMs: number;
}

/** One fetch's hold on its origin's connection. */
export interface ConnectionHold {
  readonly client: Client;
  readonly connector: OriginConnector;
  /**
   * Call exactly once.
   *
   * @param isReusable false when the exchange did not end cleanly: the connection is then closed
   */
  release(isReusable: boolean): void;
}

/** All connections of a process. */
export class Connections {
  readonly #entries = new Map<string, Entry>();
  #sweep: NodeJS.Timeout | null = null;

  /** Origins with a connection or a place for one. */
  get size(): number {
    return this.#entries.size;
  }

  /** @param origin serialised origin of an http or https URL */
  hold(origin: string, rules: ConnectRules): ConnectionHold {
    const key = JSON.stringify([origin, rules.allowPrivate, rules.mapHosts]);
    const entry = this.#entries.get(key) ?? this.#create(key, origin, rules);
    entry.inUse += 1;
    return {
      client: entry.client,
      connector: entry.connector,
      release: (isReusable) => this.#release(entry, isReusable),
    };
  }

  /** Closes everything at once; fetches that still run fail. */
  async destroy(): Promise<void> {
    if (this.#sweep) clearInterval(this.#sweep);
    this.#sweep = null;
    await Promise.all([...this.#entries.values()].map((entry) => this.#drop(entry)));
  }

  #create(key: string, origin: string, rules: ConnectRules): Entry {
    const connector = new OriginConnector(rules);
    // undici's timers are off: the exchange has its own (deadlines.ts).
    const client = new Client(origin, {
      connect: connector.connect,
      allowH2: true,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const entry = { key, client, connector, inUse: 0, isRetired: false, idleSinceMs: 0 };
    this.#entries.set(key, entry);
    this.#sweep ??= setInterval(() => this.#dropIdle(), SWEEP_MS).unref();
    return entry;
  }

  #release(entry: Entry, isReusable: boolean): void {
    entry.inUse -= 1;
    entry.idleSinceMs = performance.now();
    if (!isReusable) {
      entry.isRetired = true;
      if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
    }
    if (entry.inUse > 0) return;
    if (entry.isRetired) {
      void this.#drop(entry);
      return;
    }
    // Last used is last in the map: the first idle one is the least recently used.
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    if (this.#entries.size > MAX_IDLE_ORIGINS) {
      const oldest = [...this.#entries.values()].find(({ inUse }) => inUse === 0);
      if (oldest) void this.#drop(oldest);
    }
  }

  #dropIdle(): void {
    const limitMs = performance.now() - IDLE_ORIGIN_MS;
    for (const entry of this.#entries.values()) {
      if (entry.inUse === 0 && entry.idleSinceMs <= limitMs) void this.#drop(entry);
    }
    if (this.#entries.size === 0 && this.#sweep) {
      clearInterval(this.#sweep);
      this.#sweep = null;
    }
  }

  async #drop(entry: Entry): Promise<void> {
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
    entry.connector.destroy();
    await entry.client.destroy();
  }
}
