/** The workflows that a worker registers. */
export { crawlWorkflow } from './crawl-workflow.js';
export { hostWorkflow } from './host-workflow.js';
export { readCrawlWorkflow } from './read-crawl-workflow.js';
