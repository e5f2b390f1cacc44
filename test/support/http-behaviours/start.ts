/** The whole played web: a port for each behaviour, a name server, an authority. */
import { allBehaviours } from './all-behaviours.js';
import { startBehaviour, type HostLog, type PlayedHost } from './behaviour-server.js';
import { CertificateAuthority } from './certificate-authority.js';
import { nameReply } from './dns.js';
import { startNameServer, type NameServer } from './name-server.js';

/** A played web that runs. */
export interface PlayedWeb {
  /** Behaviours that are played. */
  readonly names: readonly string[];
  /** Rules for the crawl's `mapHosts`: `<name>.test` and what is under it, and hosts with names of their own. */
  readonly mapHosts: readonly string[];
  readonly nameServer: NameServer;
  /** Certificate of the authority that signs for the played hosts, PEM. */
  readonly authority: string;
  portOf(name: string): number;
  logOf(name: string): HostLog;
  close(): Promise<void>;
}

/** Hosts that must have names under a public suffix. */
const OWN_HOSTS: Readonly<Record<string, readonly string[]>> = {
  'cookie-public-suffix': ['a.co.uk', 'b.co.uk'],
};

/** Start all of it. */
export async function startPlayedWeb(): Promise<PlayedWeb> {
  const [trusted, foreign] = [new CertificateAuthority(), new CertificateAuthority()];
  const behaviours = allBehaviours(trusted, foreign);
  const names = Object.keys(behaviours);
  const hosts = new Map<string, PlayedHost>();
  const startAll = (isOdd: boolean) =>
    Promise.all(
      Object.entries(behaviours)
        .filter(([, behaviour]) => (behaviour.listen !== undefined) === isOdd)
        .map(async ([name, behaviour]) => hosts.set(name, await startBehaviour(behaviour))),
    );
  await startAll(false);
  // A port that must stay closed is looked for when all others have theirs.
  await startAll(true);
  const nameServer = await startNameServer(nameReply);
  const hostOf = (name: string) => {
    const host = hosts.get(name);
    if (!host) throw new Error(`nobody plays "${name}"; those who do: ${names.join(', ')}`);
    return host;
  };
  return {
    names,
    mapHosts: names.flatMap((name) => {
      const patterns = [`${name}.test`, `*.${name}.test`, ...(OWN_HOSTS[name] ?? [])];
      return patterns.map((pattern) => `${pattern}=127.0.0.1:${hostOf(name).port}`);
    }),
    nameServer,
    authority: trusted.cert,
    portOf: (name) => hostOf(name).port,
    logOf: (name) => hostOf(name).log,
    close: async () => {
      await Promise.all([...hosts.values()].map((host) => host.close()));
      await nameServer.close();
    },
  };
}
