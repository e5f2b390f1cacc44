/**
 * Name → addresses. Public names are asked over the network resolver, not through getaddrinfo: that
 * one holds a thread of the four that files and decompression share, so a few names whose servers
 * never answer would stall every other host. Names that only this machine or its network knows
 * (hosts file, no dot, .local and the like) do go through the system, two at a time.
 */
import { promises as dns } from 'node:dns';
import { readFileSync } from 'node:fs';

/** One address that a name resolves to. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Looks a host name up. Rejects with a DNS error (its `code` decides between "no such name" and
 * "could not be asked"); resolves to at least one address.
 */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const QUERY_TIMEOUT_MS = 4_000;
const QUERY_TRIES = 2;
const SYSTEM_LOOKUPS_AT_ONCE = 2;
/** How long one family waits for the other (RFC 8305 §3). */
const RESOLUTION_DELAY_MS = 50;
/** Suffixes that the public DNS does not serve (RFC 6761, 6762, 8375, 9476 and custom). */
const LOCAL_SUFFIX = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|test|home\.arpa)$/;
/** The answer was "no": as opposed to no answer. */
const NEGATIVE_CODES = new Set(['ENOTFOUND', 'ENODATA']);

function hostsFileNames(): ReadonlySet<string> {
  const file =
    process.platform === 'win32'
      ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
      : '/etc/hosts';
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // No hosts file: nothing is named there.
  }
  const names = text.split('\n').flatMap((line) => {
    const [content = ''] = line.split('#', 1);
    return content.trim().toLowerCase().split(/\s+/).slice(1);
  });
  return new Set(names);
}

/** Runs at most `limit` of the given calls at once, the others in order of arrival. */
function limitConcurrency(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

type Answer = { addresses: ResolvedAddress[]; error: NodeJS.ErrnoException | null };

async function ask(family: 4 | 6, query: Promise<string[]>): Promise<Answer> {
  try {
    const addresses = await query;
    return { addresses: addresses.map((address) => ({ address, family })), error: null };
  } catch (error) {
    return { addresses: [], error: error as NodeJS.ErrnoException };
  }
}

/** Both answers, but a family without one waits only briefly once the other has addresses. */
async function firstUsable(queries: readonly Promise<Answer>[]): Promise<Answer[]> {
  const done: Answer[] = [];
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    for (const query of queries) {
      void query.then((answer) => {
        done.push(answer);
        if (done.length === queries.length) resolve();
        else if (answer.addresses.length > 0) timer = setTimeout(resolve, RESOLUTION_DELAY_MS);
      });
    }
  });
  clearTimeout(timer);
  return done;
}

/**
 * The resolver that a worker process uses; caches nothing.
 *
 * @param servers name servers to ask, `address[:port]`; default: the system's
 */
export function createResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const localNames = hostsFileNames();
  const limited = limitConcurrency(SYSTEM_LOOKUPS_AT_ONCE);
  const askSystem = async (hostname: string): Promise<ResolvedAddress[]> => {
    const found = await limited(() => dns.lookup(hostname, { all: true, verbatim: true }));
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  };

  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const isLocal = !name.includes('.') || localNames.has(name) || LOCAL_SUFFIX.test(name);
    if (isLocal) return askSystem(name);
    const answers = await firstUsable([
      ask(4, resolver.resolve4(name)),
      ask(6, resolver.resolve6(name)),
    ]);
    // IPv4 first: where IPv6 is broken on the crawler's side, every connection would pay for it.
    const addresses = answers.flatMap((answer) => answer.addresses);
    addresses.sort((a, b) => a.family - b.family);
    if (addresses.length > 0) return addresses;
    const errors = answers.flatMap(({ error }) => (error ? [error] : []));
    // Nobody listens where this machine's DNS should be: perhaps names come another way.
    if (errors.every(({ code }) => code === 'ECONNREFUSED')) return askSystem(name);
    throw errors.find(({ code }) => !NEGATIVE_CODES.has(code ?? '')) ?? errors[0];
  };
}
