/** What `inspect` does once its arguments are read. Loaded when it runs: the parsers are heavy. */
import type { CanonicalSettings } from '../../contracts/settings.js';
import { encodingOf } from '../../parse/charset/encodings.js';
import type { CliContext } from '../context.js';
import { LineWriter } from '../control/line-writer.js';
import { answerLines, writeJson } from './answer-lines.js';
import { canonicalOf, invalid, refuseRequestFlags, type InspectFlags } from './inspect-flags.js';
import { inspectLinks, LINKS_FIELDS, type LinksFinding } from './inspect-links.js';
import { inspectRobots, ROBOTS_FIELDS, type RobotsAnswer } from './inspect-robots.js';
import { inspectSitemap, SITEMAP_FIELDS, type SitemapAnswer } from './inspect-sitemap.js';
import { linksLines, robotsLines, sitemapLines, urlLines } from './inspect-text.js';
import { inspectUrl, URL_FIELDS, type UrlAnswer } from './inspect-url.js';
import { readInput } from './read-input.js';
import { RequestFields } from './request-fields.js';

/** What can be inspected. */
export type InspectKind = 'url' | 'robots' | 'links' | 'sitemap';

/** One kind: how a request is answered, and how that is told to programs and to people. */
interface Inspection<F> {
  readonly fields: readonly string[];
  find(fields: RequestFields, flags: InspectFlags, rules: CanonicalSettings): F | Promise<F>;
  json(found: F): object;
  text(found: F, flags: InspectFlags): string[];
  /** The request that arguments make. */
  request(argument: string, flags: InspectFlags, ctx: CliContext): Promise<object>;
}

/** Name by which robots.txt and meta robots call the crawler unless told otherwise. */
const AGENT = 'orbweaver';

const URL_INSPECTION: Inspection<UrlAnswer> = {
  fields: URL_FIELDS,
  find: (fields, _flags, rules) => inspectUrl(fields, rules),
  json: (answer) => answer,
  text: (answer, { base }) => urlLines(answer, base),
  request: (href, { base, charset }) => {
    if (base !== undefined && !URL.canParse(base)) {
      invalid('--base', `"${base}" is no absolute URL; give the address of the page`);
    }
    if (charset !== undefined && encodingOf(charset) === null) {
      invalid('--charset', `"${charset}" is no encoding; give a label such as windows-1252`);
    }
    return Promise.resolve({ href, base, documentCharset: charset });
  },
};

const ROBOTS_INSPECTION: Inspection<RobotsAnswer> = {
  fields: ROBOTS_FIELDS,
  find: inspectRobots,
  json: (answer) => answer,
  text: (answer, { userAgent = AGENT }) => robotsLines(answer, userAgent),
  request: async (file, { url, userAgent = AGENT }, ctx) => ({
    url: needed(url, '--url', 'the address that is to be fetched'),
    userAgent,
    robotsTxtBase64: await readBase64(ctx, file),
  }),
};

const LINKS_INSPECTION: Inspection<LinksFinding> = {
  fields: LINKS_FIELDS,
  find: (fields, { robotsAgent = AGENT, embeds = false, forms = false, textLinks = false }) =>
    inspectLinks(fields, { robotsAgent, embeds, forms, textLinks }),
  json: ({ answer }) => answer,
  text: linksLines,
  request: async (file, { base, contentType }, ctx) => ({
    base: needed(base, '--base', 'the address that the page came from'),
    contentType,
    htmlBase64: await readBase64(ctx, file),
  }),
};

const SITEMAP_INSPECTION: Inspection<SitemapAnswer> = {
  fields: SITEMAP_FIELDS,
  find: inspectSitemap,
  json: (answer) => answer,
  text: sitemapLines,
  request: async (file, { url, contentType }, ctx) => ({
    url: needed(url, '--url', 'the address that the sitemap came from'),
    contentType,
    bodyBase64: await readBase64(ctx, file),
  }),
};

/**
 * Inspect what the arguments name, or each line of stdin.
 *
 * @param argument URL or file; undefined with `--stdin`
 * @throws CONFIG_INVALID_OPTION, CONFIG_INVALID_FILE, URL_INVALID, URL_UNSUPPORTED_SCHEME
 */
export async function runInspect(
  ctx: CliContext,
  kind: InspectKind,
  argument: string | undefined,
  flags: InspectFlags,
): Promise<void> {
  switch (kind) {
    case 'url':
      return run(ctx, URL_INSPECTION, argument, flags);
    case 'robots':
      return run(ctx, ROBOTS_INSPECTION, argument, flags);
    case 'links':
      return run(ctx, LINKS_INSPECTION, argument, flags);
    case 'sitemap':
      return run(ctx, SITEMAP_INSPECTION, argument, flags);
  }
}

async function run<F>(
  ctx: CliContext,
  inspection: Inspection<F>,
  argument: string | undefined,
  flags: InspectFlags,
): Promise<void> {
  // Refused once and at once, not with every line.
  const rules = await canonicalOf(flags);
  const find = async (request: unknown) =>
    inspection.find(new RequestFields(request, inspection.fields), flags, rules);
  if (flags.stdin === true) {
    if (argument !== undefined) {
      invalid('--stdin', `leaves no place for "${argument}"; give one of the two`);
    }
    refuseRequestFlags(flags);
    await answerLines(ctx.stdin, ctx.stdout, async (request) =>
      inspection.json(await find(request)),
    );
    return;
  }
  if (argument === undefined) {
    invalid('argument', 'what to inspect is missing; name it, or give requests with --stdin');
  }
  const given = await inspection.request(argument, flags, ctx);
  const request = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const found = await find(request);
  if (flags.json === true) {
    await writeJson(inspection.json(found), ctx.stdout);
    return;
  }
  const out = new LineWriter(ctx.stdout);
  for (const line of inspection.text(found, flags)) await out.line(line);
  await out.end();
}

async function readBase64(ctx: CliContext, file: string): Promise<string> {
  return (await readInput(ctx, file)).toString('base64');
}

function needed(value: string | undefined, flag: string, what: string): string {
  return value ?? invalid(flag, `is missing; give ${what}`);
}
