/** Answers from a folder of files, as a plain web server gives them. */
import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.gz': 'application/gzip',
};

/** An answer, ready to be sent. */
export interface StaticAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Answer a request for a path: files with their content type (no charset: documents state their
 * own), folders by their index.html, a folder without its slash by 301, everything else by 404.
 *
 * @param path path and query as sent; the query is ignored
 */
export async function answerFromFolder(root: string, path: string): Promise<StaticAnswer> {
  const [rawPath = '/', query] = path.split(/\?(.*)/s);
  const decoded = decode(rawPath);
  if (decoded === undefined || decoded.includes('\0')) return plain(400, 'bad path');
  const file = resolve(root, `.${decoded}`);
  if (file !== resolve(root) && !file.startsWith(resolve(root) + sep)) return plain(404, 'no file');
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) {
    if (decoded.endsWith('/')) return await fileAnswer(join(file, 'index.html'));
    const location = `${rawPath}/${query === undefined ? '' : `?${query}`}`;
    return { ...plain(301, 'moved'), headers: { location } };
  }
  // As web servers have it: a file is no folder, "/page.html/" names nothing.
  return decoded.endsWith('/') ? plain(404, 'no file') : await fileAnswer(file);
}

async function fileAnswer(file: string): Promise<StaticAnswer> {
  const body = await readFile(file).catch(() => undefined);
  if (!body) return plain(404, 'no file');
  const contentType = CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
  return { status: 200, headers: { 'content-type': contentType }, body };
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function plain(status: number, text: string): StaticAnswer {
  return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(`${text}\n`) };
}
