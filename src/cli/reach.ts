/** How the client's functions reach the crawls of an engine. */
import type { Reach } from '../client/answers.js';
import { DEFAULT_TASK_QUEUE } from '../contracts/task-queues.js';
import type { Engine } from './engine.js';

/** Workers may be busy: a person at a terminal waits a minute for an answer, no longer. */
export const ANSWER_TIMEOUT_MS = 60_000;

/** @param taskQueue queue of the crawl's workflow; default: that of `orbweaver crawl` */
export function reachOf(engine: Pick<Engine, 'client'>, taskQueue = DEFAULT_TASK_QUEUE): Reach {
  return { client: engine.client, taskQueue, answerTimeoutMs: ANSWER_TIMEOUT_MS };
}
