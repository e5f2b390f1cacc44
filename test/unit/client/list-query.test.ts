import { describe, expect, it } from 'vitest';
import { listQuery } from '../../../src/client/list-crawls.js';

describe('listQuery', () => {
  it('leaves out runs that went on in a new one', () => {
    expect(listQuery({})).toBe(
      `WorkflowType = 'crawlWorkflow' AND ExecutionStatus != 'ContinuedAsNew'`,
    );
  });

  it('asks for running ones and one queue', () => {
    expect(listQuery({ status: 'RUNNING', taskQueue: 'own' })).toBe(
      `WorkflowType = 'crawlWorkflow' AND ExecutionStatus = 'Running' AND TaskQueue = 'own'`,
    );
  });

  it('quotes a queue with a quote in its name', () => {
    expect(listQuery({ taskQueue: `o'wn` })).toContain(String.raw`TaskQueue = 'o\'wn'`);
  });
});
