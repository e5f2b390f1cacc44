/** A crawl to be looked at while it runs: the real command line on a small synthetic web. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../chaos.js';
import { startCli } from '../e2e/cli.js';
import type { HostFault } from '../synthetic-web/faults.js';
import { startSyntheticWeb, type SyntheticWeb } from '../synthetic-web/start.js';

/** A running crawl. */
export interface ShownCrawl {
  readonly crawlId: string;
  /** The link that the command line printed, to the crawl in the web UI. */
  readonly link: string;
  readonly web: SyntheticWeb;
  /** Resolves when the web has been asked for so many pages of a host. */
  pagesAsked(host: string, count: number): Promise<void>;
  /** Kill the crawl and its servers; remove its files. */
  dispose(): Promise<void>;
}

/** What is crawled, and how. */
export interface ShownCrawlOptions {
  readonly crawlId: string;
  readonly hosts: number;
  readonly pagesPerHost: number;
  /** Top-level domain of the synthetic web. @default 'test' */
  readonly domain?: string;
  readonly delayMs: number;
  /** Hosts that are in trouble from the start. */
  readonly faults?: Readonly<Record<string, HostFault>>;
}

/**
 * Start a crawl of plain pages with servers of its own; resolves when its link is printed.
 *
 * @throws Error with what the command line said when it prints none
 */
export async function startShownCrawl(options: ShownCrawlOptions): Promise<ShownCrawl> {
  const { crawlId, hosts, pagesPerHost, domain = 'test', delayMs } = options;
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-shown-'));
  const web = await startSyntheticWeb({
    hosts,
    pagesPerHost,
    domain,
    features: 'none',
    latencyMs: { min: 150, max: 500 },
  });
  for (const [host, fault] of Object.entries(options.faults ?? {})) await web.setFault(host, fault);
  const flags = ['--scope', 'any', '--delay', String(delayMs), '--map-hosts', web.mapHosts];
  const cli = startCli(
    ['crawl', web.seedUrl, '--crawl-id', crawlId, '--allow-private', ...flags],
    dir,
  );
  const dispose = async (): Promise<void> => {
    cli.kill();
    await cli.ended;
    await web.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const link = await waitFor(
      () => /web UI (http\S+\/workflows\/\S+)/.exec(cli.output().stderr)?.[1],
      {
        what: `the link to crawl ${crawlId}`,
        timeoutMs: 60_000,
      },
    );
    return {
      crawlId,
      link,
      web,
      pagesAsked: async (host, count) => {
        const asked = async () =>
          (await web.log()).filter((request) => request.host === host && request.kind === 'page');
        await waitFor(async () => (await asked()).length >= count, {
          what: `${count} pages of ${host}`,
          timeoutMs: 90_000,
        });
      },
      dispose,
    };
  } catch (error) {
    const said = cli.output().stderr.slice(-2_000);
    await dispose();
    throw new Error(`${String(error)}\n${said}`, { cause: error });
  }
}
