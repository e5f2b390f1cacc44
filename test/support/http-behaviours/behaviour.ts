/** What a played host is made of: answers by path, and facts about the host itself. */
import type { Socket } from 'node:net';

/** One request head as the server received it. */
export interface PlayedRequest {
  /** Path and query as sent. */
  readonly path: string;
  /** Host header without its port. */
  readonly host: string;
  /** Names in lower case; of several fields of a name the last. */
  readonly headers: Readonly<Record<string, string>>;
  /** How often this host was asked for this path so far, this time included. */
  readonly times: number;
  /** Requests on this connection so far, this one included. */
  readonly onConnection: number;
  readonly isTls: boolean;
  readonly socket: Socket;
}

/** Answers one request, or leaves it unanswered. */
export type Play = (request: PlayedRequest) => void;

/** One behaviour: everything that its host does. */
export interface Behaviour {
  /**
   * Answers by path; `*` is for all other paths but robots.txt. What is not named: a small page, and
   * 404 for robots.txt.
   */
  readonly routes?: Readonly<Record<string, Play>>;
  /** Accept connections and never say a word. */
  readonly isDeaf?: boolean;
  /** Speak TLS to those that begin with it: the name on the certificate, by the name asked for. */
  readonly tls?: (serverName: string | null) => TlsIdentity | null;
  /** Instead of a server of HTTP: opens whatever listens; returns its port and how to close it. */
  readonly listen?: () => Promise<{ port: number; close(): Promise<void> }>;
  /** Address that is listened on. @default '127.0.0.1' */
  readonly address?: string;
  /** Close connections that were silent for so long, without a word. */
  readonly idleMs?: number;
}

/** Certificate and key, PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Behaviours by the names of test/vectors/http.json. */
export type Behaviours = Readonly<Record<string, Behaviour>>;
