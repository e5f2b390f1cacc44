/** Content codings: true, false, stacked, cut short, and bombs. */
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from 'node:zlib';
import type { Behaviour, Behaviours, Play } from './behaviour.js';
import { pageOf, pageWith } from './reply.js';

const PAGE = `${pageOf('/next')}${'<p>words of a page</p>'.repeat(200)}`;
const GZIP = gzipSync(PAGE);

const coded = (encoding: string, body: string | Buffer): Play =>
  pageWith({ 'Content-Encoding': encoding }, body);
const host = (encoding: string, body: string | Buffer): Behaviour => ({
  routes: { '/': coded(encoding, body) },
});

/** 50 MiB of zeros in some 50 KB; made here, so that making it keeps no crawl waiting. */
const BOMB = gzipSync(Buffer.alloc(50 * 1024 * 1024));

export const compression: Behaviours = {
  'gzip-declared-but-plain': host('gzip', PAGE),
  'gzip-truncated-trailer': host('gzip', GZIP.subarray(0, -8)),
  'gzip-truncated-half': host('gzip', GZIP.subarray(0, GZIP.length / 2)),
  'gzip-x-gzip-label': { routes: { '/': coded('x-gzip', GZIP), '/next': coded('GZIP', GZIP) } },
  'gzip-twice': host('gzip, gzip', gzipSync(GZIP)),
  'gzip-fifty-layers': host(Array.from({ length: 50 }, () => 'gzip').join(', '), GZIP),
  'gzip-damaged': {
    routes: {
      '/': (request) => {
        const damaged = Buffer.from(GZIP);
        const middle = Math.floor(damaged.length / 2);
        damaged.fill(0xff, middle, middle + 8);
        coded('gzip', damaged)(request);
      },
    },
  },
  'gzip-bomb': host('gzip', BOMB),
  'gzip-endless': {
    routes: {
      '/': ({ socket }) => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n',
        );
        const gzip = createGzip({ level: constants.Z_NO_COMPRESSION });
        gzip.pipe(socket, { end: false });
        const write = (): void => {
          if (socket.destroyed) gzip.destroy();
          else if (gzip.write(Buffer.alloc(65_536, 'x'))) setImmediate(write);
          else gzip.once('drain', write);
        };
        write();
        socket.once('close', () => gzip.destroy());
      },
    },
  },
  deflate: {
    routes: {
      '/': coded('deflate', deflateSync(PAGE)),
      '/next': coded('deflate', deflateRawSync(PAGE)),
    },
  },
  'encoding-unasked': {
    routes: {
      '/': coded('br', brotliCompressSync(PAGE)),
      '/next': coded('compress', Buffer.from([0x1f, 0x9d, 0x90, 0x3c, 0x61])),
    },
  },
  'encoding-unknown': {
    routes: {
      '/': coded('none', PAGE),
      '/next': coded('utf-8', pageOf('/identity')),
      '/identity': coded('identity', pageOf('/foo')),
      '/foo': coded('foo', PAGE),
    },
  },
};
