/**
 * Run by tests as a process of its own: joins the servers of the data directory that is its
 * argument, writes what it hears as JSON lines, and stays until it is killed.
 */
import { joinEmbeddedServers } from '../../../src/servers/embedded.js';

const say = (message: unknown): void => console.log(JSON.stringify(message));

const servers = await joinEmbeddedServers({
  dataDir: process.argv[2] ?? '',
  report: (line) => say({ line }),
  onLost: () => say({ lost: true }),
});
say({ servers });
setInterval(() => undefined, 60_000);
