/** Temporal's web UI as a person walks through it: addresses, tabs, and what they show. */
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { hostWorkflowId } from '../../../src/contracts/workflow-ids.js';

/** The list of workflows that carry this crawl's id, on the UI that a crawl's link leads to. */
export function crawlListUrl(link: string, crawlId: string): string {
  return `${workflowsUrl(link)}?query=${encodeURIComponent(`CrawlId="${crawlId}"`)}`;
}

/** A host's workflow, on the UI that a crawl's link leads to. */
export function hostUrl(link: string, crawlId: string, hostKey: string): string {
  return `${workflowsUrl(link)}/${encodeURIComponent(hostWorkflowId(crawlId, hostKey))}`;
}

function workflowsUrl(link: string): string {
  return `${new URL(link).origin}/namespaces/default/workflows`;
}

/** Rows of the timeline that is shown, by their label. */
export function timelineRows(page: Page, label: string | RegExp): Locator {
  return page.locator('button.event').filter({ hasText: label });
}

/** Open a tab of the workflow that is shown. */
export function openTab(page: Page, tab: 'timeline' | 'user-metadata' | 'queries'): Promise<void> {
  return page.getByTestId(`${tab}-tab`).click();
}

/** The current details; the UI renders them in a frame of their own, the last one. */
export function currentDetails(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/render?"]').last();
}
