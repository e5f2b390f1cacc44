/** Activities for workers of one's own: pass dependencies, register what comes back. */
export { createFetchActivities } from './fetch-activities.js';
export { createFrontierActivities } from './frontier-activities.js';
export type { ActivityDeps, CrawlStore } from './deps.js';
