/**
 * One origin's connections: resolve, guard, connect, TLS. The addresses that were checked are the
 * ones that are tried: nothing is resolved a second time (no DNS rebinding).
 */
import { connect as netConnect, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { checkServerIdentity, connect as tlsConnect, rootCertificates } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { HostMapping } from '../contracts/settings.js';
import { whyAddressRefused } from './address-guard.js';
import { fetchError } from './failure-policy.js';
import { HeadFilter } from './head-filter.js';
import { findHostMapping } from './host-map.js';
import type { ResolvedAddress, ResolveHost } from './resolve-host.js';

/** Bytes of response headers at most: over Node's 16 KiB, since real sites set 20 KB of cookies. */
export const MAX_HEADER_BYTES = 64 * 1024;
/** Before the next address of a name is tried beside the first (RFC 8305 §5). */
const NEXT_ADDRESS_DELAY_MS = 250;
const TCP_KEEP_ALIVE_MS = 60_000;
/** Addresses of no host, as look-ups may answer them (RFC 1122 §3.2.1.3, RFC 4291 §2.5.2). */
const UNSPECIFIED = /^(0\.0\.0\.0|::|::ffff:0\.0\.0\.0)$/;

/** What decides where an origin's connections go. */
export interface ConnectRules {
  readonly allowPrivate: boolean;
  readonly mapHosts: readonly HostMapping[];
  readonly resolve: ResolveHost;
  /** Certificates (PEM) that are trusted besides the built-in authorities; null for none. */
  readonly extraCa: string | null;
}

/** Connects one origin; remembers what the connection turned out to be. */
export class OriginConnector {
  readonly #rules: ConnectRules;
  /** Sockets that are being connected: undici does not know them yet, so nobody else ends them. */
  readonly #connecting = new Set<Socket>();
  #session: Buffer | undefined;
  #destroyed = false;
  /** Of the newest connection, over HTTP/1.1. */
  #heads: HeadFilter | null = null;
  /** Connections made so far. */
  connects = 0;
  /** True while a name is being looked up. */
  isResolving = false;
  remoteAddress: string | null = null;
  isHttp2 = false;
  /** The newest connection was reset: what it brought may not be all. */
  isReset = false;

  constructor(rules: ConnectRules) {
    this.#rules = rules;
  }

  /** In the form that undici's Client takes. */
  readonly connect: buildConnector.connector = (options, callback) => {
    this.#open(options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, null),
    );
  };

  /** Call when a request is about to be sent. */
  expectHead(): void {
    this.#heads?.expectHead();
  }

  /** Ends connections that are still being made. */
  destroy(): void {
    this.#destroyed = true;
    for (const socket of this.#connecting) socket.destroy(new Error('no longer wanted'));
  }

  async #open(options: buildConnector.Options): Promise<Socket> {
    const { hostname } = options;
    const isTls = options.protocol === 'https:';
    const mapping = findHostMapping(this.#rules.mapHosts, hostname);
    const addresses = await this.#addressesFor(mapping?.address ?? hostname, mapping !== null);
    if (this.#destroyed) throw new Error('no longer wanted');
    const port = mapping?.port ?? (Number(options.port) || (isTls ? 443 : 80));
    const socket = this.#start(hostname, port, addresses, isTls);
    this.#connecting.add(socket);
    try {
      await untilConnected(socket, isTls ? 'secureConnect' : 'connect');
    } finally {
      this.#connecting.delete(socket);
    }
    this.connects += 1;
    this.remoteAddress = socket.remoteAddress ?? null;
    this.isHttp2 = (socket as TLSSocket).alpnProtocol === 'h2';
    this.isReset = false;
    // Before undici listens: it takes a reset for the end of a body that has no length.
    socket.once('error', () => (this.isReset = true));
    this.#heads = this.isHttp2 ? null : new HeadFilter(socket, MAX_HEADER_BYTES);
    return socket;
  }

  /** The addresses that may be tried: all of them checked, unless the user named the target. */
  async #addressesFor(target: string, isMapped: boolean): Promise<readonly ResolvedAddress[]> {
    const family = isIP(target);
    const found =
      family === 0 ? await this.#lookUp(target) : [{ address: target, family } as ResolvedAddress];
    if (isMapped || this.#rules.allowPrivate) return found;
    const allowed = found.filter(({ address }) => whyAddressRefused(address) === null);
    if (allowed.length > 0) return allowed;
    const address = found[0]?.address ?? 'none';
    const why = whyAddressRefused(address);
    throw fetchError(
      'FETCH_PRIVATE_ADDRESS',
      `${target} is at ${address}, a ${why} address: not crawled unless allowPrivate is set`,
      { details: { host: target, address, why } },
    );
  }

  async #lookUp(hostname: string): Promise<readonly ResolvedAddress[]> {
    this.isResolving = true;
    try {
      const found = await this.#rules.resolve(hostname);
      // A sinkhole's answer: connecting to it would reach this very machine.
      const usable = this.#rules.allowPrivate
        ? found.filter(({ address }) => !UNSPECIFIED.test(address))
        : found;
      if (usable.length > 0) return usable;
      const what =
        found.length > 0 ? `is at ${found[0]?.address}, where no host is` : 'has no address';
      throw Object.assign(new Error(`${hostname} ${what}`), { code: 'ENODATA' });
    } finally {
      this.isResolving = false;
    }
  }

  #start(
    hostname: string,
    port: number,
    addresses: readonly ResolvedAddress[],
    isTls: boolean,
  ): Socket {
    const lookup: LookupFunction = (_name, lookupOptions, done) => {
      const [first] = addresses;
      if (lookupOptions.all) done(null, [...addresses]);
      else done(null, first?.address ?? '', first?.family);
    };
    const [only] = addresses;
    const target = {
      // A literal is never looked up by Node; a name always is, by the function above.
      host: addresses.length === 1 && only ? only.address : hostname,
      port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_DELAY_MS,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      noDelay: true,
    };
    if (!isTls) return netConnect(target);
    const { extraCa } = this.#rules;
    const socket = tlsConnect({
      ...target,
      // SNI names hosts only, never addresses (RFC 6066 §3).
      servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
      checkServerIdentity: (_name, certificate) => checkServerIdentity(hostname, certificate),
      ALPNProtocols: ['h2', 'http/1.1'],
      session: this.#session,
      ...(extraCa === null ? {} : { ca: [...rootCertificates, extraCa] }),
    });
    return socket.on('session', (session) => (this.#session = session));
  }
}

/** Waits for the event; a socket that fails before it is destroyed. */
async function untilConnected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  let settle: ((error: Error | null) => void) | undefined;
  const onConnected = (): void => settle?.(null);
  const onError = (error: Error): void => settle?.(error);
  const onClose = (): void => settle?.(new Error('closed while connecting'));
  socket.once(event, onConnected).on('error', onError).once('close', onClose);
  try {
    await new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
    });
    socket.off('error', onError);
  } catch (error) {
    // The error listener stays: a second error of a dying socket must not end the process.
    socket.destroy();
    throw error;
  } finally {
    socket.off(event, onConnected).off('close', onClose);
  }
}
