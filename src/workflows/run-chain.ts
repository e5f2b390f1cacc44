/** The run chain of a workflow: what outlives continue-as-new and names it as an owner. */
import { workflowInfo } from '@temporalio/workflow';

/** `<13-digit start ms>:<first run id>`; compares as text, a later start is greater. */
export function chainOwner(): string {
  const info = workflowInfo();
  return `${String(info.runStartTime.getTime()).padStart(13, '0')}:${info.firstExecutionRunId}`;
}

/** Is it time to go on in a new run? */
export function isHistoryLong(maxEvents: number): boolean {
  const info = workflowInfo();
  return info.historyLength >= maxEvents || info.continueAsNewSuggested;
}

/** Options that keep the memo of a run that continues as new. */
export function keptMemo(): { memo?: Record<string, unknown> } {
  const { memo } = workflowInfo();
  return memo ? { memo } : {};
}
