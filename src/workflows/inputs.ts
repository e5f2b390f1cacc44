/**
 * Inputs of workflows, checked before anything else: whoever can reach Temporal can start one, with
 * whatever JSON. What is wrong fails the workflow at once and says so; it never fails its task, which
 * Temporal would try again for ever.
 */
import type { ReadRequest } from '../contracts/activities.js';
import type { CrawlInput, WorkflowTuning } from '../contracts/crawl.js';
import type { HostInput } from '../contracts/host.js';
import { CRAWL_ID_PATTERN } from '../contracts/workflow-ids.js';
import { checkSeeds, refusal } from './refusals.js';

/** A run must get some work done before it continues as new. */
const MIN_HISTORY_EVENTS = 10;
const MAX_PAGE = 10_000;

type Fields = Readonly<Record<string, unknown>>;

/** @throws ApplicationFailure CONFIG_INVALID_OPTION naming field, value and remedy */
export function checkCrawlInput(input: unknown): asserts input is CrawlInput {
  const fields = fieldsOf(
    'input',
    input,
    'give {"crawlId": "docs-2026", "seeds": ["https://example.com/"]}',
  );
  checkCrawlId(fields);
  const { seeds, options, resume, tuning, carried } = fields;
  if (seeds !== undefined) checkSeeds({ seeds });
  if (options !== undefined) fieldsOf('options', options, 'give {"maxPages": 50} or leave it out');
  if (resume !== undefined && typeof resume !== 'boolean') {
    throw wrong('resume', resume, 'give true or false, or leave it out');
  }
  checkTuning(tuning);
  if (carried === undefined) return;
  const { owner, polls, refusedSeeds } = fieldsOf('carried', carried, OWN);
  if (typeof owner !== 'string') throw wrong('carried.owner', owner, OWN);
  checkWhole('carried.polls', polls, 0, Infinity, OWN);
  if (!Array.isArray(refusedSeeds)) throw wrong('carried.refusedSeeds', refusedSeeds, OWN);
}

/** @throws ApplicationFailure CONFIG_INVALID_OPTION naming field, value and remedy */
export function checkHostInput(input: unknown): asserts input is HostInput {
  const remedy = 'hosts are started by their crawl: start crawlWorkflow';
  const fields = fieldsOf('input', input, remedy);
  checkCrawlId(fields);
  const { hostKey, tuning, carried } = fields;
  if (typeof hostKey !== 'string' || hostKey === '') throw wrong('hostKey', hostKey, remedy);
  checkTuning(tuning);
  if (carried === undefined) return;
  const { owner, turn, progress } = fieldsOf('carried', carried, OWN);
  if (typeof owner !== 'string') throw wrong('carried.owner', owner, OWN);
  checkWhole('carried.turn', turn, 0, Infinity, OWN);
  fieldsOf('carried.progress', progress, OWN);
}

/** @throws ApplicationFailure CONFIG_INVALID_OPTION naming field, value and remedy */
export function checkReadRequest(request: unknown): asserts request is ReadRequest {
  const remedy = 'give {"kind": "progress", "crawlId": "docs-2026"}';
  const fields = fieldsOf('input', request, remedy);
  checkCrawlId(fields);
  const { kind, limit, offset, after, cursor } = fields;
  const pages = `give a whole number from 0 to ${MAX_PAGE}`;
  switch (kind) {
    case 'progress':
      return;
    case 'hosts':
      checkWhole('limit', limit, 1, MAX_PAGE, pages);
      if (after !== undefined && typeof after !== 'string') {
        throw wrong('after', after, 'give the last host of the page before, or leave it out');
      }
      return;
    case 'deadLetters':
      checkWhole('limit', limit, 1, MAX_PAGE, pages);
      checkWhole('offset', offset, 0, Infinity, 'give a whole number of 0 or more');
      return;
    case 'heldUrls':
      checkWhole('limit', limit, 1, MAX_PAGE, pages);
      if (cursor !== undefined && typeof cursor !== 'string') {
        throw wrong('cursor', cursor, 'give the cursor of the page before, or leave it out');
      }
      return;
    default:
      throw wrong('kind', kind, 'give one of progress, hosts, deadLetters, heldUrls');
  }
}

const OWN = 'leave "carried" out: runs hand it on themselves';

function checkTuning(tuning: unknown): asserts tuning is WorkflowTuning | undefined {
  if (tuning === undefined) return;
  const fields = fieldsOf('tuning', tuning, 'give {"lingerMs": 1000} or leave it out');
  const least = { maxHistoryEvents: MIN_HISTORY_EVENTS, lingerMs: 0, heartbeatMs: 1 };
  for (const [name, min] of Object.entries(least)) {
    if (fields[name] === undefined) continue;
    checkWhole(
      `tuning.${name}`,
      fields[name],
      min,
      Infinity,
      `give a whole number of ${min} or more, or leave it out`,
    );
  }
}

function checkCrawlId({ crawlId }: Fields): void {
  if (typeof crawlId === 'string' && CRAWL_ID_PATTERN.test(crawlId)) return;
  throw wrong(
    'crawlId',
    crawlId,
    'give 1 to 64 letters, digits, ".", "_" or "-", the first a letter or digit',
  );
}

function fieldsOf(field: string, value: unknown, remedy: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(field, value, remedy);
}

function checkWhole(field: string, value: unknown, min: number, max: number, remedy: string): void {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return;
  throw wrong(field, value, remedy);
}

function wrong(field: string, value: unknown, remedy: string) {
  const shown = JSON.stringify(value)?.slice(0, 200) ?? 'nothing';
  return refusal('CONFIG_INVALID_OPTION', `${field}: got ${shown}; ${remedy}`);
}
