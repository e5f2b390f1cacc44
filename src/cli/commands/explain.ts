/** `orbweaver explain`: why a URL was, or was not, crawled. */
import type { Command } from 'commander';
import { addServerFlags, crawlIdArgument, type CliContext, type ServerFlags } from '../context.js';

interface ExplainFlags extends ServerFlags {
  readonly json?: boolean;
  readonly out?: string;
}

export function register(program: Command, ctx: CliContext): void {
  addServerFlags(
    program
      .command('explain')
      .description('say why a URL was, or was not, crawled')
      .argument('<crawlId>', 'id of the crawl', crawlIdArgument)
      .argument('<url>', 'the URL')
      .option('--out <dir>', "folder that the crawl's folder is in (default: what the crawl says)")
      .option('--json', 'a line of JSON on stdout instead of text'),
  ).action(
    ctx.action(async (crawlId: string, url: string, flags: ExplainFlags) => {
      await explain(ctx, crawlId, url, flags);
    }),
  );
}

async function explain(
  ctx: CliContext,
  crawlId: string,
  url: string,
  flags: ExplainFlags,
): Promise<void> {
  const { requireUrl } = await import('../../url/parse-url.js');
  // Refused before any server is asked.
  requireUrl(url.trim(), 'url');
  const { connectEngine } = await import('../engine.js');
  const { openedStatus } = await import('../control/known-crawl.js');
  const { findOutput } = await import('../explain/find-output.js');
  const { gatherFacts } = await import('../explain/gather-facts.js');
  const { verdictOf } = await import('../explain/verdict.js');
  const { explanationJson, explanationLines } = await import('../explain/explain-text.js');
  const { dataDir, verbose } = flags;
  const engine = await connectEngine(ctx, { dataDir, verbose, needsServers: false });
  try {
    const status = await openedStatus(engine, crawlId, dataDir);
    const output = findOutput(ctx.cwd, status, flags.out);
    const facts = await gatherFacts(engine.redis, status, url, output);
    const nowMs = Date.now();
    const verdict = verdictOf(facts, nowMs, dataDir);
    if (flags.json === true) ctx.print(JSON.stringify(explanationJson(facts, verdict)));
    else for (const line of explanationLines(facts, verdict, nowMs)) ctx.print(line);
  } finally {
    await engine.close();
  }
}
