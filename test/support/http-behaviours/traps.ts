/** Webs without end, which a crawl's limits end. */
import type { Behaviours } from './behaviour.js';
import { page } from './reply.js';

export const traps: Behaviours = {
  'trap-deep-path': { routes: { '*': page('deeper/'), '/': page('deeper/') } },
  'trap-broken-relative': { routes: { '*': page('b/c.html'), '/a/': page('b/c.html') } },
  'trap-many-params': {
    routes: {
      '*': (request) => {
        const { searchParams } = new URL(request.path, 'http://x');
        const links = ['a', 'b', 'c', 'd'].flatMap((name) =>
          [1, 2, 3, 4, 5].map((value) => {
            const next = new URLSearchParams(searchParams);
            next.delete(name);
            next.append(name, String(value));
            return `/list?${next.toString().replaceAll('&', '&amp;')}`;
          }),
        );
        page(...links)(request);
      },
    },
  },
};
