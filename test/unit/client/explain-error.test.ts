import {
  ApplicationFailure,
  TerminatedFailure,
  WorkflowFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { explainTemporalError, isSilence } from '../../../src/client/explain-error.js';
import { CrawlError } from '../../../src/errors.js';

const grpcError = (code: number, details: string) =>
  Object.assign(new Error(details), { code, details, metadata: {} });

describe('explainTemporalError', () => {
  it('takes code, message and details from a failure anywhere in the chain', () => {
    const failure = ApplicationFailure.create({
      message: 'no crawl "x"',
      type: 'FRONTIER_CRAWL_NOT_FOUND',
      nonRetryable: true,
      details: [{ crawlId: 'x' }],
    });
    const inner = Object.assign(new Error('Activity task failed'), { cause: failure });
    const error = explainTemporalError(new WorkflowFailedError('failed', inner, 'x' as never));
    expect(error).toBeInstanceOf(CrawlError);
    expect(error).toMatchObject({
      code: 'FRONTIER_CRAWL_NOT_FOUND',
      message: 'no crawl "x"',
      retryable: false,
      details: { crawlId: 'x' },
    });
  });

  it('leaves failures that are not of the engine alone', () => {
    const error = ApplicationFailure.create({ message: 'mine', type: 'SOME_CODE' });
    expect(explainTemporalError(error)).toBe(error);
  });

  it('says that a terminated crawl can be resumed', () => {
    const failed = new WorkflowFailedError(
      'failed',
      new TerminatedFailure('by hand'),
      'x' as never,
    );
    const error = explainTemporalError(failed, 'docs');
    expect(error).toMatchObject({ code: 'FRONTIER_CRAWL_STATE' });
    expect((error as CrawlError).message).toBe('crawl "docs" was terminated; resume it to go on');
  });

  it('names the command that registers a missing search attribute', () => {
    const error = explainTemporalError(grpcError(3, 'search attribute CrawlId is not defined'));
    expect(error).toMatchObject({ code: 'CONFIG_SERVER_UNFIT' });
    expect((error as CrawlError).message).toContain('search-attribute create --name CrawlId');
  });

  it('calls a server that is away retryable', () => {
    const error = explainTemporalError(grpcError(14, 'ECONNREFUSED 127.0.0.1:1'));
    expect(error).toMatchObject({ code: 'CONFIG_SERVER_UNAVAILABLE', retryable: true });
  });
});

describe('isSilence', () => {
  it('knows a deadline, an unanswered update and a query that nobody picked up', () => {
    expect(isSilence(grpcError(4, 'Deadline exceeded'))).toBe(true);
    expect(isSilence(new WorkflowUpdateRPCTimeoutOrCancelledError('late'))).toBe(true);
    expect(isSilence(grpcError(9, 'no poller seen for task queue recently'))).toBe(true);
    expect(isSilence(grpcError(14, 'connection refused'))).toBe(false);
  });
});
