import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workflowUrl } from '../../../src/cli/engine.js';
import { decideServers } from '../../../src/cli/server-choice.js';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'orbweaver-profiles-'));
  writeFileSync(
    join(dir, 'temporal.toml'),
    '[profile.prod]\naddress = "prod.example:7233"\nnamespace = "crawls"\n',
  );
});
afterAll(() => rmSync(dir, { recursive: true }));

/** Nothing of this machine's own configuration. */
const none = () => ({ TEMPORAL_CONFIG_FILE: join(dir, 'none.toml') });
const decide = (env: Record<string, string>) => decideServers({ ...none(), ...env });
const REDIS_URL = 'redis://localhost:6379';

describe('decideServers', () => {
  it('embeds both where nothing is named', () => {
    expect(decide({})).toEqual({ temporal: undefined, redis: undefined });
    expect(decide({ REDIS_URL: ' ', TEMPORAL_NAMESPACE: 'default' }).redis).toBeUndefined();
  });

  it('takes one’s own where both are named', () => {
    const { temporal, redis } = decide({ TEMPORAL_ADDRESS: 'h:7233', REDIS_URL });
    expect(temporal).toMatchObject({ address: 'h:7233', uiUrl: null });
    expect(redis?.url).toBe(REDIS_URL);
  });

  it('takes address and namespace of a profile', () => {
    const profile = {
      TEMPORAL_CONFIG_FILE: join(dir, 'temporal.toml'),
      TEMPORAL_PROFILE: 'prod',
    };
    expect(decide({ ...profile, REDIS_URL }).temporal).toMatchObject({
      address: 'prod.example:7233',
      namespace: 'crawls',
    });
  });

  it('embeds only Temporal next to a Redis of one’s own', () => {
    const { temporal, redis } = decide({ REDIS_URL });
    expect([temporal, redis?.url]).toEqual([undefined, REDIS_URL]);
  });

  it('refuses an embedded Redis next to a Temporal of one’s own', () => {
    expect(() => decide({ TEMPORAL_ADDRESS: 'h:7233' })).toThrow(
      /REDIS_URL: not set, while Temporal is one of your own \(h:7233\)/,
    );
  });

  it.each(['TEMPORAL_API_KEY', 'TEMPORAL_NAMESPACE'])('refuses %s without an address', (name) => {
    expect(() => decide({ [name]: 'x', REDIS_URL })).toThrow(
      new RegExp(`TEMPORAL_ADDRESS: not set, while ${name} is`),
    );
  });

  it('refuses a profile that does not exist', () => {
    expect(() => decide({ TEMPORAL_PROFILE: 'nope', REDIS_URL })).toThrow(/TEMPORAL_\*: .*nope/);
  });

  it('knows the web UI of Temporal Cloud, and any that is named', () => {
    const uiUrl = (env: Record<string, string>) => decide({ REDIS_URL, ...env }).temporal?.uiUrl;
    const cloud = { TEMPORAL_ADDRESS: 'ns.a1b2c.tmprl.cloud:7233' };
    expect(uiUrl(cloud)).toBe('https://cloud.temporal.io');
    expect(uiUrl({ ...cloud, ORBWEAVER_UI_URL: 'https://ui.example/' })).toBe('https://ui.example');
  });
});

describe('workflowUrl', () => {
  it('percent-encodes the slashes of a workflow id', () => {
    const engine = { uiUrl: 'http://127.0.0.1:8233', namespace: 'default' };
    expect(workflowUrl(engine, 'crawl/c1/host/a.example:8080')).toBe(
      'http://127.0.0.1:8233/namespaces/default/workflows/crawl%2Fc1%2Fhost%2Fa.example%3A8080',
    );
    expect(workflowUrl({ ...engine, uiUrl: null }, 'crawl/c1')).toBeNull();
  });
});
