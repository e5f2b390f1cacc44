/** Reading what the Temporal web UI shows: events with their summaries, details, runs of a chain. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

const { EventType, WorkflowTaskFailedCause } = temporal.api.enums.v1;

export interface EventFacts {
  readonly type: string;
  readonly summary: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Events of the current run, or of one that is named. */
export async function eventsOf(handle: WorkflowHandle): Promise<EventFacts[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).map((event) => ({
    type: EventType[event.eventType ?? 0]!.replace('EVENT_TYPE_', ''),
    summary: jsonOf(event.userMetadata?.summary),
    attributes: (event[event.attributes as keyof typeof event] ?? {}) as Record<string, unknown>,
  }));
}

/** Summaries of one kind of event, in order; events without one are left out. */
export function summariesOf(events: readonly EventFacts[], type: string): string[] {
  return events.flatMap((event) =>
    event.type === type && event.summary !== null ? [event.summary] : [],
  );
}

export function countOf(events: readonly EventFacts[], type: string): number {
  return events.filter((event) => event.type === type).length;
}

/**
 * Workflow tasks that failed, by cause. A signal that came just as the workflow wanted to close or
 * to continue as new is none: that is how no signal gets lost.
 */
export function failedTasks(events: readonly EventFacts[]): string[] {
  return events
    .filter(({ type }) => type === 'WORKFLOW_TASK_FAILED')
    .map(({ attributes }) => WorkflowTaskFailedCause[attributes['cause'] as number] ?? 'unknown')
    .filter((cause) => !cause.endsWith('UNHANDLED_COMMAND'));
}

/** Markdown of the workflow's current details. */
export async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

/** Run ids of a workflow id, newest first. */
export async function runsOf(client: Client, workflowId: string): Promise<string[]> {
  const runs: string[] = [];
  for await (const run of client.workflow.list({ query: `WorkflowId="${workflowId}"` })) {
    runs.push(run.runId);
  }
  return runs;
}

/** All runs that carry the crawl's id, as `<workflow id> <status>`. */
export async function runsOfCrawl(client: Client, crawlId: string): Promise<string[]> {
  const runs: string[] = [];
  for await (const run of client.workflow.list({ query: `CrawlId="${crawlId}"` })) {
    runs.push(`${run.workflowId} ${run.status.name}`);
  }
  return runs;
}

function jsonOf(payload: { data?: Uint8Array | null } | null | undefined): string | null {
  if (!payload?.data) return null;
  return JSON.parse(Buffer.from(payload.data).toString()) as string;
}
