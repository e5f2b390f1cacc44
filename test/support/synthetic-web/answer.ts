/** From a request to its answer: no sockets here. */
import { gzipSync } from 'node:zlib';
import { TRACKING_PARAMETERS } from './link-forms.js';
import type { WebModel } from './model.js';
import { hash32 } from './random.js';
import { renderFile, renderPage, renderSitemap } from './render.js';
import type { RequestRecord } from './request-log.js';
import type { EarlyAnswers, HostModel, PageResource, Resource } from './resource.js';

/** An answer, ready to be sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The parts of a request that answers depend on. */
export interface Question {
  /** Lower case, no default port. */
  readonly host: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly cookie: string;
  readonly ifNoneMatch: string;
  readonly acceptsGzip: boolean;
}

/** Answers questions about one web and remembers how often early answers were given. */
export class Answerer {
  private readonly model: WebModel;
  private readonly earlyGiven = new Map<string, number>();

  constructor(model: WebModel) {
    this.model = model;
  }

  /** Start the counts of flaky and busy URLs again. */
  forget(): void {
    this.earlyGiven.clear();
  }

  kindOf(host: string, path: string): RequestRecord['kind'] {
    if (path === '/robots.txt') return 'robots';
    const type = this.find(host, path)?.resource.type;
    return type === 'robots' || type === 'sitemap' || type === 'page' ? type : 'other';
  }

  answer(question: Question): Answer {
    const found = this.find(question.host, question.path);
    if (!found) return plain(404, `nothing at ${question.host}${question.path}`);
    const { host, path, resource } = found;
    const url = `http://${host.name}${path}`;
    switch (resource.type) {
      case 'page':
        return this.answerPage(url, resource, question);
      case 'redirect':
        return plain(resource.status, 'moved', { location: resource.location });
      case 'failure':
        return plain(resource.status, 'no page');
      case 'file':
        return ok(renderFile(url, resource), { 'content-type': resource.contentType });
      case 'robots':
        return ok(Buffer.from(resource.text), { 'content-type': 'text/plain; charset=utf-8' });
      case 'sitemap': {
        const xml = Buffer.from(renderSitemap(resource));
        return resource.gzip
          ? ok(gzipSync(xml), { 'content-type': 'application/gzip' })
          : ok(xml, { 'content-type': 'application/xml' });
      }
    }
  }

  private answerPage(url: string, page: PageResource, question: Question): Answer {
    const early = page.early && this.takeEarly(url, page.early);
    if (early) return early;
    if (page.needsCookie && !question.cookie.includes('visitor=yes')) {
      const headers = { location: url, 'set-cookie': 'visitor=yes; Path=/' };
      return plain(302, 'take a cookie', headers);
    }
    const etag = `"${hash32(url).toString(16)}"`;
    if (question.ifNoneMatch === etag) {
      return { status: 304, headers: { etag }, body: Buffer.alloc(0) };
    }
    const html = Buffer.from(renderPage(url, page));
    const headers = {
      etag,
      'content-type': 'text/html; charset=utf-8',
      ...(page.robotsHeader === undefined ? {} : { 'x-robots-tag': page.robotsHeader }),
    };
    return page.gzip && question.acceptsGzip
      ? ok(gzipSync(html), { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' })
      : ok(html, headers);
  }

  private takeEarly(url: string, early: EarlyAnswers): Answer | undefined {
    const given = this.earlyGiven.get(url) ?? 0;
    if (given >= early.count) return undefined;
    this.earlyGiven.set(url, given + 1);
    return statusAnswer(early.status, early.retryAfterS);
  }

  private find(
    hostName: string,
    path: string,
  ): { host: HostModel; path: string; resource: Resource } | undefined {
    const host = this.model.hosts.get(hostName);
    const plainPath = withoutTracking(path);
    const resource = host?.resources.get(plainPath);
    return host && resource ? { host, path: plainPath, resource } : undefined;
  }
}

/** A bare answer with a status and, above 0, Retry-After. */
export function statusAnswer(status: number, retryAfterS: number): Answer {
  return plain(status, 'not now', retryAfterS > 0 ? { 'retry-after': String(retryAfterS) } : {});
}

function withoutTracking(path: string): string {
  const mark = path.indexOf('?');
  if (mark < 0) return path;
  const kept = path
    .slice(mark + 1)
    .split('&')
    .filter((pair) => !TRACKING_PARAMETERS.some((name) => pair.startsWith(`${name}=`)));
  return kept.length === 0 ? path.slice(0, mark) : `${path.slice(0, mark)}?${kept.join('&')}`;
}

function ok(body: Buffer, headers: Record<string, string>): Answer {
  return { status: 200, headers, body };
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Answer {
  const body = Buffer.from(`${text}\n`);
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}
