/** A case about robots.txt that real servers play: what they answer, what a crawl may do about it. */

/** What a server does besides, or instead of, answering. */
export type Behaviour =
  /** Nobody listens: the host's every connection is refused. */
  | 'refuse'
  | 'reset-after-accept'
  | 'never-answer'
  /** The host speaks TLS, with a certificate that nobody trusts. */
  | 'tls-self-signed'
  | 'close-after-body'
  | 'reset-after-body';

/** One answer. Without headers a Content-Type that suits the path is sent, with `{}` none. */
export interface Answer {
  readonly status?: number;
  /** `{a}` stands for host:port of label a. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  /** `text` × `repeat` one after another; repeat −1 is endless, `{n}` counts with `counter`. */
  readonly bodyParts?: readonly BodyPart[];
  readonly behaviour?: Behaviour;
}

export interface BodyPart {
  readonly text: string;
  readonly repeat?: number;
  readonly counter?: boolean;
}

/** fetched; never asked for; not asked for while robots.txt is out of reach; either of two. */
export type Expectation = 'fetch' | 'skip' | 'defer' | 'fetch-or-skip' | 'fetch-or-defer';

export interface RobotsHttpCase {
  readonly name: string;
  readonly category: string;
  /** Answers by host label and path; the last of a path's answers repeats. */
  readonly server: Readonly<Record<string, Readonly<Record<string, readonly Answer[]>>>>;
  /** By path of label `a`, or `label:path`. */
  readonly expect: Readonly<Record<string, Expectation>>;
  /** Requests for robots.txt, redirects of it included, at most. */
  readonly maxRobotsRequests?: number;
  /** Between two requests of a host, from the first one on. */
  readonly minGapMs?: number;
  /** Paths of label `a` to start from besides those of `expect`. */
  readonly seeds?: readonly string[];
  /** Paths of label `a` whose records say noindex; those of all other fetched pages do not. */
  readonly noindex?: readonly string[];
  /** Paths of label `a` that nobody may ask for. */
  readonly never?: readonly string[];
}

/** One thing that a case expects. */
export interface Expected {
  readonly label: string;
  readonly path: string;
  readonly want: Expectation;
}

/** The expectations of a case. A path without a label belongs to the case's first host. */
export function expectationsOf(each: RobotsHttpCase): Expected[] {
  const first = firstLabel(each);
  return Object.entries(each.expect).map(([key, want]) => {
    const [, label = first, path = ''] = /^(?:([\w-]+):)?(\/.*)$/s.exec(key) ?? [];
    return { label, path, want };
  });
}

/** The host that paths without a label belong to. */
export function firstLabel({ server }: RobotsHttpCase): string {
  return Object.keys(server)[0] ?? 'a';
}

/** Has the case a second version of a good robots.txt, which shows when the first has expired? */
export function isAboutExpiry({ server }: RobotsHttpCase): boolean {
  return Object.values(server).some((paths) => {
    const [first, second] = paths['/robots.txt'] ?? [];
    return first?.status === 200 && first.behaviour === undefined && second !== undefined;
  });
}

/** Does the case itself lead a crawler to the path: by a redirect or a link? */
export function isLedTo(each: RobotsHttpCase, label: string, path: string): boolean {
  const answers = Object.entries(each.server).flatMap(([from, paths]) =>
    Object.values(paths).flatMap((list) => list.map((answer) => ({ from, answer }))),
  );
  return answers.some(({ from, answer }) => {
    const targets = [
      ...Object.entries(answer.headers ?? {})
        .filter(([name]) => name.toLowerCase() === 'location')
        .map(([, value]) => value),
      ...Array.from(
        (answer.body ?? '').matchAll(/(?:\bhref="?|<loc>)([^\s"<>]+)/g),
        (link) => link[1] ?? '',
      ),
    ];
    const own = from === label ? [path] : [];
    return targets.some((target) => [...own, `http://{${label}}${path}`].includes(target));
  });
}
