/** A case's demands on what its host saw: requests, fields, connections, bytes. */
import { expect } from 'vitest';
import type { LoggedRequest } from '../../support/http-behaviours/behaviour-server.js';
import { recordUrl, type HttpCase } from '../../support/http-behaviours/http-case.js';
import type { PlayedWeb } from '../../support/http-behaviours/start.js';

/** Fails where the host saw anything else than the case says. */
export function expectSeen(web: PlayedWeb, one: HttpCase): void {
  const { name, limits = {} } = one;
  const log = web.logOf(name);
  const asked = (written: string): LoggedRequest[] => {
    const { hostname, pathname, search } = new URL(recordUrl(web, name, written));
    return log.requests.filter(({ host, path }) => host === hostname && path === pathname + search);
  };
  const written = Object.keys(one.asked ?? {});
  const counts = written.map((url) => [url, asked(url).length]);
  expect(Object.fromEntries(counts), 'requests by URL').toEqual(one.asked ?? {});
  for (const { headers } of written.flatMap(asked)) {
    const sent = Object.keys(headers).filter((field) => one.unsent?.includes(field));
    expect(sent, 'fields that must not be sent').toEqual([]);
  }
  for (const [url, cookie] of Object.entries(one.cookies ?? {})) {
    const [first] = asked(url);
    expect(first, `${url} was asked for`).toBeDefined();
    expect(first?.headers['cookie'] ?? null, `Cookie of ${url}`).toBe(cookie);
  }
  const questions = web.nameServer.asked.filter((each) => each.startsWith(`${name}.`));
  const seen = {
    requests: log.requests.length,
    connections: log.connections,
    connectionsAtOnce: log.mostOpen,
    bytes: Math.max(0, ...log.bytesTaken),
    questions: questions.length,
  };
  for (const [what, most] of Object.entries(limits)) {
    expect(seen[what as keyof typeof seen], what).toBeLessThanOrEqual(most);
  }
}
