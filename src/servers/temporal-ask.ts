/** One request to the HTTP API of a Temporal server on loopback: readiness without a client. */
import { request } from 'node:http';
import { LOOPBACK } from './ports.js';

/** What is read of a namespace. */
export interface NamespaceReply {
  readonly config?: { readonly workflowExecutionRetentionTtl?: string };
}

/**
 * Ask the HTTP API.
 *
 * @throws Error when it does not answer with 200 and JSON in 2 s
 */
export function askTemporal(
  httpPort: number,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<NamespaceReply> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: LOOPBACK, port: httpPort, method, path, agent: false, timeout: 2_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('error', reject);
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          if (response.statusCode !== 200) {
            reject(new Error(`HTTP ${response.statusCode}: ${text}`));
            return;
          }
          try {
            resolve(JSON.parse(text) as NamespaceReply);
          } catch (error) {
            reject(error as Error);
          }
        });
      },
    );
    call.on('error', reject);
    call.on('timeout', () => call.destroy(new Error('no answer in 2 s')));
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
