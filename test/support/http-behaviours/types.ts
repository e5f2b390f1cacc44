/** Types that are missing, false or huge, and charsets that lie. */
import { createRandom } from '../synthetic-web/random.js';
import type { Behaviours, Play } from './behaviour.js';
import { answer, endless, latin1, page, pageOf, pageWith, raw } from './reply.js';

const MIB = 1024 * 1024;

/** Bytes that look like nothing, the same each time. */
function noise(size: number): Buffer {
  const random = createRandom('noise');
  return Buffer.from(Array.from({ length: size }, () => random.int(256)));
}

const typed = (type: string, body: string | Buffer = pageOf('/next')): Play =>
  answer({ headers: { 'Content-Type': type }, body });

const QUOTED = latin1('<!doctype html><title>\x80 \x93quoted\x94 \x96 \x97</title>');

export const types: Behaviours = {
  'type-missing-html': {
    routes: { '/': answer({ body: '<!doctype html><a href=/next>n</a>' }) },
  },
  'type-binary-as-html': {
    routes: {
      '/': (request) => {
        const block = noise(64 * 1024);
        pageWith({}, Buffer.concat(Array.from({ length: 160 }, () => block)))(request);
      },
    },
  },
  'type-with-parameters': {
    routes: {
      '/': typed('text/html;charset=utf-8;boundary=x', pageOf('/quoted')),
      '/quoted': typed('text/html; charset="utf-8"', pageOf('/upper')),
      '/upper': typed('TEXT/HTML', pageOf('/next')),
    },
  },
  'charset-windows-1252-node': {
    routes: {
      '/': typed('text/html; charset=windows-1252', QUOTED),
      '/latin1': typed('text/html; charset=iso-8859-1', QUOTED),
    },
  },
  'type-svg-xml-feed': {
    routes: {
      '/': typed(
        'application/xhtml+xml',
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><a href="/linked">l</a></body></html>',
      ),
      '/linked': page('/feed', '/drawing'),
      '/feed': typed(
        'application/rss+xml',
        '<?xml version="1.0"?><rss version="2.0"><channel><title>f</title><link>/</link><item><link>/entry</link></item></channel></rss>',
      ),
      '/drawing': typed(
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg"><a href="/from-svg"/></svg>',
      ),
    },
  },
  'type-pdf-50MB': {
    routes: {
      '/': endless(
        `HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: ${50 * MIB}\r\n\r\n`,
        () => Buffer.alloc(16_384, '%'),
      ),
    },
  },
  'type-too-large-announced': {
    routes: {
      '/': raw(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${50 * MIB}\r\n\r\n<p>`,
      ),
    },
  },
  'type-multipart-x-mixed-replace': {
    routes: {
      '/': endless(
        'HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n',
        (n) => `--frame\r\nContent-Type: image/jpeg\r\n\r\n${String(n).repeat(2000)}\r\n`,
      ),
    },
  },
  'type-event-stream': {
    routes: {
      '/': endless('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n', (n) =>
        `data: ${n}\n\n`.repeat(500),
      ),
    },
  },
};
