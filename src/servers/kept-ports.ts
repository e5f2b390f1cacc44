/** Ports of a data directory: those asked for, else those of last time, else free ones. */
import { ConfigError } from '../errors.js';
import { readRecord, writeRecord, type DataDir } from './data-dir.js';
import type { AskedPorts } from './keeper-protocol.js';
import { freePorts, isPortFree, LOOPBACK } from './ports.js';

/** One port per listener. */
export interface ServerPorts {
  readonly temporalPort: number;
  readonly uiPort: number;
  readonly httpPort: number;
  readonly redisPort: number;
}

const PORT_NAMES = ['temporalPort', 'uiPort', 'httpPort', 'redisPort'] as const;

/**
 * Choose the ports and write them down, so that a restart has the same addresses.
 *
 * @throws CONFIG_SERVER_UNAVAILABLE when a port that was asked for is taken
 */
export async function choosePorts(dataDir: DataDir, asked: AskedPorts): Promise<ServerPorts> {
  const kept = readRecord<Partial<ServerPorts>>(dataDir.portsFile) ?? {};
  const free = await freePorts(PORT_NAMES.length);
  const chosen = {} as Record<keyof ServerPorts, number>;
  const used = new Set<number>();
  for (const [index, name] of PORT_NAMES.entries()) {
    const wanted = name === 'httpPort' ? undefined : asked[name];
    if (wanted !== undefined && (used.has(wanted) || !(await isPortFree(wanted)))) {
      throw new ConfigError(
        'CONFIG_SERVER_UNAVAILABLE',
        `${name}: ${LOOPBACK}:${wanted} is in use by another program. End it, or leave the option out to get a free port.`,
      );
    }
    const before = kept[name];
    const isKept = typeof before === 'number' && !used.has(before) && (await isPortFree(before));
    const port = wanted ?? (isKept ? before : free[index]) ?? 0;
    used.add(port);
    chosen[name] = port;
  }
  writeRecord(dataDir.portsFile, chosen);
  return chosen;
}
