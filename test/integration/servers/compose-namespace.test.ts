import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../../../src/servers/run-command.js';

interface Compose {
  readonly services: Record<string, { entrypoint: string[]; command: string[] }>;
}

describe('docker-compose.yml, the script of temporal-namespace', () => {
  const file = fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url));
  const compose = parse(readFileSync(file, 'utf8')) as Compose;
  const { entrypoint, command } = compose.services['temporal-namespace'] ?? {
    entrypoint: [],
    command: [],
  };

  it('makes the namespace and its search attributes, and running it again changes nothing', async () => {
    const namespace = `compose-${process.pid}`;
    const env = {
      ...process.env,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      TEMPORAL_NAMESPACE: namespace,
      PATH: `${dirname(inject('temporalExecutable'))}:${process.env['PATH']}`,
    };
    // Compose turns $$ into $ when it starts the container.
    const script = command.map((part) => part.replaceAll('$$', '$'));
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    try {
      for (let run = 0; run < 2; run++) {
        const { isOk, output } = await runCommand([...entrypoint, ...script], 50_000, env);
        expect(isOk, output).toBe(true);
        const { customAttributes } = await connection.operatorService.listSearchAttributes({
          namespace,
        });
        expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['CrawlId']));
      }
    } finally {
      await connection.close();
    }
  });
});
