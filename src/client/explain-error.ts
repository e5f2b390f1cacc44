/** From what Temporal's client throws to the engine's errors: a code, and what to do about it. */
import {
  ApplicationFailure,
  CancelledFailure,
  isGrpcDeadlineError,
  isGrpcServiceError,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { CRAWL_ID_ATTRIBUTE } from '../contracts/workflow-ids.js';
import { ConfigError, CrawlError, FrontierError, type ErrorCode } from '../errors.js';

/** Every code of the engine begins with the name of what it is about. */
const ENGINE_CODE = /^(CONFIG|URL|FETCH|FRONTIER|OUTPUT)_[A-Z_]+$/;

/** Codes of gRPC that say something about the server or the way to it. */
const GRPC = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
  unauthenticated: 16,
};

/** Did Temporal, or a worker behind it, not answer in time? */
export function isSilence(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  if (isGrpcDeadlineError(error)) return true;
  return causes(error).some(
    (cause) =>
      (cause instanceof TimeoutFailure && cause.timeoutType === 'START_TO_CLOSE') ||
      // A query that no worker picked up.
      /no poller|worker may be down/i.test(cause.message),
  );
}

/**
 * The engine's error for a failure of a workflow, an update or a call to the server; what is
 * neither comes back as it is.
 */
export function explainTemporalError(error: unknown, crawlId?: string): unknown {
  if (error instanceof CrawlError) return error;
  for (const cause of causes(error)) {
    if (cause instanceof ApplicationFailure && ENGINE_CODE.test(cause.type ?? '')) {
      const [details] = (cause.details ?? []) as [Record<string, unknown>?];
      return new CrawlError(cause.type as ErrorCode, cause.message, {
        retryable: !cause.nonRetryable,
        ...(details && { details }),
        cause: error,
      });
    }
    if (cause instanceof CancelledFailure) return over(crawlId, 'was cancelled', error);
    if (cause instanceof TerminatedFailure) return over(crawlId, 'was terminated', error);
    if (isGrpcServiceError(cause)) return explainServiceError(cause, error);
  }
  return error;
}

function over(crawlId: string | undefined, what: string, cause: unknown): FrontierError {
  const name = crawlId === undefined ? 'the crawl' : `crawl "${crawlId}"`;
  return new FrontierError('FRONTIER_CRAWL_STATE', `${name} ${what}; resume it to go on`, {
    details: { crawlId, ended: what },
    cause,
  });
}

/** The crawl has no workflow that could do what was asked. */
export function notRunning(crawlId: string, status: string): FrontierError {
  return new FrontierError(
    'FRONTIER_CRAWL_STATE',
    `crawl "${crawlId}" is not running (its workflow is ${status}); resume it first`,
    { details: { crawlId, workflowStatus: status } },
  );
}

/** Neither Temporal nor the frontier knows the crawl. */
export function noSuchCrawl(crawlId: string, cause?: unknown): FrontierError {
  return new FrontierError(
    'FRONTIER_CRAWL_NOT_FOUND',
    `crawlId: there is no crawl "${crawlId}" here; list() shows those there are`,
    { details: { crawlId }, cause },
  );
}

function explainServiceError(
  { code, details }: { readonly code: number; readonly details: string },
  cause: unknown,
): unknown {
  if (code === GRPC.unavailable) {
    return new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `Temporal can't be reached: ${details}; check the address of the connection and that the server runs`,
      { retryable: true, cause },
    );
  }
  if (code === GRPC.unauthenticated || code === GRPC.permissionDenied) {
    return new ConfigError(
      'CONFIG_SERVER_UNAVAILABLE',
      `Temporal refuses this client: ${details}; check namespace, TLS and API key`,
      { cause },
    );
  }
  if (code === GRPC.notFound && /namespace/i.test(details)) {
    return new ConfigError(
      'CONFIG_SERVER_UNFIT',
      `namespace: ${details}; create it or name another`,
      { cause },
    );
  }
  if (code === GRPC.invalidArgument && details.includes(CRAWL_ID_ATTRIBUTE)) {
    return new ConfigError(
      'CONFIG_SERVER_UNFIT',
      `Temporal does not know the search attribute ${CRAWL_ID_ATTRIBUTE} (${details}); register it: ` +
        `temporal operator search-attribute create --name ${CRAWL_ID_ATTRIBUTE} --type Keyword`,
      { cause },
    );
  }
  return cause;
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 20; next = next.cause) {
    chain.push(next);
  }
  return chain;
}
