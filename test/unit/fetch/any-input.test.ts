/** Whatever a server sends: readers of fields end, throw nothing but their own errors, and are bounded. */
import fc from 'fast-check';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { FetchError } from '../../../src/errors.js';
import { BoundedBody } from '../../../src/fetch/bounded-body.js';
import { contentCodings } from '../../../src/fetch/content-encoding.js';
import { createChainJar } from '../../../src/fetch/cookies.js';
import { HeadFilter } from '../../../src/fetch/head-filter.js';
import { hostBackoffMs, parseRetryAfter } from '../../../src/fetch/politeness.js';
import { contentTypeOf, parseHeaders, redirectLocation } from '../../../src/fetch/response-head.js';
import { tidyHead } from '../../../src/fetch/tidy-head.js';

const DAY_MS = 86_400_000;
const RUNS = { numRuns: 500 };

/** Text that is likely to be read as something. */
const near = (...parts: readonly string[]) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 5 })), { maxLength: 12 })
      .map((all) => all.join('')),
  );

describe('Retry-After', () => {
  const values = near('0', '9', '-', '.', 'e9', ' ', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Nov', ':');
  it('asks for nothing, or for a wait from none to the longest', () => {
    fc.assert(
      fc.property(fc.oneof(values, fc.bigInt().map(String)), fc.nat(4e12), (value, nowMs) => {
        const waitMs = parseRetryAfter(value, nowMs, DAY_MS);
        expect(waitMs === null || (waitMs >= 0 && waitMs <= DAY_MS)).toBe(true);
      }),
      RUNS,
    );
  });

  it('and any number of failures rest a host between 48 s and a day', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const waitMs = hostBackoffMs(failures, () => random);
          expect(Number.isInteger(waitMs) && waitMs >= 48_000 && waitMs <= DAY_MS).toBe(true);
        },
      ),
      RUNS,
    );
  });
});

describe('Set-Cookie', () => {
  const values = near(
    'a=1',
    ';',
    '; Path=/',
    '; Domain=',
    'co.uk',
    'a.test',
    '; Expires=',
    '=',
    ',',
  );
  it('makes at most a field of 6 KiB that a request may hold', () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 80 }), (setCookies) => {
        const jar = createChainJar();
        jar.store(setCookies, 'http://a.test/x');
        const header = jar.headerFor('http://a.test/x') ?? '';
        // eslint-disable-next-line no-control-regex
        expect(header).not.toMatch(/[\x00-\x1f\x7f]/);
        expect(header.length).toBeLessThanOrEqual(6144);
        expect(jar.headerFor('http://b.test/x')).toBeNull();
      }),
      { numRuns: 200 },
    );
  });
});

describe('Content-Encoding', () => {
  it('names at most three codings, or is refused by its code', () => {
    fc.assert(
      fc.property(
        fc.array(near('gzip', 'br', 'deflate', 'identity', ', ', 'x-', 'utf-8')),
        (values) => {
          try {
            const codings = contentCodings({ 'content-encoding': values }, 'http://a.test/');
            expect(codings.length).toBeLessThanOrEqual(3);
          } catch (error) {
            expect((error as FetchError).code).toBe('FETCH_BAD_ENCODING');
            expect((error as FetchError).message.length).toBeLessThan(200);
          }
        },
      ),
      RUNS,
    );
  });

  it('of any bytes ends in a body within its limit, or in an error', async () => {
    const codings = fc.array(fc.constantFrom('gzip' as const, 'br' as const, 'deflate' as const), {
      minLength: 1,
      maxLength: 3,
    });
    const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(codings, chunks, fc.nat(2000), async (own, all, maxBytes) => {
        const ended = await new Promise<{ error: Error | null; body: BoundedBody }>((resolve) => {
          const body: BoundedBody = new BoundedBody({
            url: 'http://a.test/',
            codings: own,
            maxBytes,
            onTooLarge: 'truncate',
            onDone: (error) => resolve({ error, body }),
          });
          for (const chunk of all) body.write(Buffer.from(chunk));
          body.end();
        });
        expect(ended.body.toBuffer().length).toBeLessThanOrEqual(maxBytes);
      }),
      { numRuns: 200 },
    );
  });
});

/** Fields as undici gives them. */
const fields = fc.array(
  fc.tuple(
    fc.constantFrom('Location', 'location', 'Content-Type', '__proto__', 'constructor', 'X'),
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      near('/', '..', 'http://', '[', ']', ':', '%', '?', '#', '\\', 'a.test', 'text/html').map(
        (text) => Buffer.from(text),
      ),
    ),
  ),
  { maxLength: 6 },
);

describe('response fields', () => {
  it('are a record of texts, and a type that is one or none', () => {
    fc.assert(
      fc.property(fields, (all) => {
        const list = all.flatMap(([name, value]) => [Buffer.from(name), value]);
        const headers = parseHeaders(list);
        expect(Object.values(headers).flat()).toHaveLength(all.length);
        expect(contentTypeOf(headers) ?? 'a/b').toMatch(/^[^\s/]+\/[^\s/]/);
      }),
      RUNS,
    );
  });

  it('lead to an absolute URL without a fragment, or nowhere', () => {
    fc.assert(
      fc.property(fields, fc.constantFrom(301, 302, 303, 307, 308, 200, 304), (all, status) => {
        const list = all.flatMap(([name, value]) => [Buffer.from(name), value]);
        const target = redirectLocation(status, list, 'http://a.test/x?y');
        if (target === null) return;
        expect(new URL(target).href).toBe(target);
        expect(new URL(target).hash).toBe('');
        expect(target).not.toContain('\ufffd');
      }),
      RUNS,
    );
  });
});

const head = near(
  'HTTP/1.1 200 OK',
  '\r\n',
  '\n',
  ' ',
  ':',
  'Content-Length: 5',
  'A: b',
  '\x00',
  '\t',
).map((text) => Buffer.from(`HTTP/1.1 200 OK\r\n${text.replaceAll('\n\n', '')}\r\n\r\n`, 'latin1'));

describe('heads', () => {
  it('once tidy stay as they are', () => {
    fc.assert(
      fc.property(head, (bytes) => {
        const tidy = tidyHead(bytes);
        expect(tidy.toString('latin1')).toMatch(
          /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$|^HTTP.*\r\n\r\n$/,
        );
        expect(tidyHead(tidy).equals(tidy)).toBe(true);
        expect(tidy.length).toBeLessThanOrEqual(bytes.length * 2);
      }),
      RUNS,
    );
  });

  it('pass the same whatever pieces they come in', () => {
    const interim = Buffer.from('HTTP/1.1 100 Continue\r\nA: b\r\n\r\n');
    const streams = fc.tuple(fc.nat(3), head, fc.uint8Array({ maxLength: 50 }));
    fc.assert(
      fc.property(
        streams,
        fc.array(fc.integer({ min: 1, max: 40 })),
        ([count, own, body], cuts) => {
          const all = Buffer.concat([...Array.from({ length: count }, () => interim), own, body]);
          expect(passed(pieces(all, cuts)).equals(passed([all]))).toBe(true);
        },
      ),
      RUNS,
    );
  });

  it('that are too long are given on as they are', () => {
    const flood = Buffer.from(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(1000)}`);
    expect(passed(pieces(flood, [1, 7, 300])).length).toBeGreaterThan(1000);
  });
});

/** Cut at these lengths, round and round. */
function pieces(all: Buffer, cuts: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, n = 0; at < all.length; n += 1) {
    const length = cuts.length === 0 ? all.length : (cuts[n % cuts.length] ?? 1);
    parts.push(all.subarray(at, at + length));
    at += length;
  }
  return parts;
}

/** What a filter lets through of these chunks. */
function passed(chunks: readonly Buffer[]): Buffer {
  const waiting = [...chunks];
  const socket = { read: () => waiting.shift() ?? null } as unknown as Socket;
  const filter = new HeadFilter(socket, 1000);
  filter.expectHead();
  const out: Buffer[] = [];
  for (let chunk = socket.read() as Buffer | null; chunk !== null;) {
    out.push(chunk);
    chunk = socket.read() as Buffer | null;
  }
  return Buffer.concat(out);
}
