import { describe, expect, it } from 'vitest';
import { abortFailure, classifyFailure } from '../../../src/fetch/classify.js';
import { FAILURE_POLICY, fetchError, statusPolicy } from '../../../src/fetch/failure-policy.js';

describe('statusPolicy', () => {
  it.each([
    [200, 'none', false],
    [304, 'none', false],
    [403, 'url', false],
    [404, 'url', false],
    [410, 'url', false],
    [408, 'url', true],
    [425, 'url', true],
    [429, 'host', true],
    [500, 'url', true],
    [501, 'url', false],
    [502, 'url', true],
    [503, 'host', true],
    [504, 'url', true],
    [520, 'url', true],
    [600, 'url', false],
    [999, 'url', false],
  ] as const)('%i concerns %s, retryable: %s', (status, concerns, retryable) => {
    expect(statusPolicy(status)).toEqual({ concerns, retryable });
  });
});

describe('classifyFailure', () => {
  const classify = (code: string, phase: 'connect' | 'headers' | 'body', more: object = {}) =>
    classifyFailure(Object.assign(new Error('x'), { code, ...more }), phase, 'http://a/').code;

  it.each([
    ['ENOTFOUND', 'connect', 'FETCH_DNS_NOT_FOUND'],
    ['ENODATA', 'connect', 'FETCH_DNS_NOT_FOUND'],
    ['EAI_AGAIN', 'connect', 'FETCH_DNS_FAILED'],
    ['ESERVFAIL', 'connect', 'FETCH_DNS_FAILED'],
    ['ECONNREFUSED', 'connect', 'FETCH_CONNECT'],
    ['EHOSTUNREACH', 'connect', 'FETCH_CONNECT'],
    ['ETIMEDOUT', 'connect', 'FETCH_CONNECT_TIMEOUT'],
    ['CERT_HAS_EXPIRED', 'connect', 'FETCH_TLS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'connect', 'FETCH_TLS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'connect', 'FETCH_TLS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'connect', 'FETCH_TLS'],
    ['EMFILE', 'connect', 'FETCH_ABORTED'],
    ['UND_ERR_INVALID_ARG', 'connect', 'FETCH_PROTOCOL'],
    ['ECONNRESET', 'headers', 'FETCH_RESET'],
    ['UND_ERR_SOCKET', 'headers', 'FETCH_RESET'],
    ['UND_ERR_HEADERS_OVERFLOW', 'headers', 'FETCH_HEADERS_TOO_LARGE'],
    ['HPE_INVALID_CONSTANT', 'headers', 'FETCH_PROTOCOL'],
    ['ECONNRESET', 'body', 'FETCH_BODY_TRUNCATED'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'body', 'FETCH_BODY_TRUNCATED'],
    ['Z_BUF_ERROR', 'body', 'FETCH_BODY_TRUNCATED'],
    ['Z_DATA_ERROR', 'body', 'FETCH_BAD_ENCODING'],
    ['ERR__ERROR_FORMAT_RESERVED', 'body', 'FETCH_BAD_ENCODING'],
    ['HPE_INVALID_CHUNK_SIZE', 'body', 'FETCH_PROTOCOL'],
  ] as const)('%s while in %s is %s', (code, phase, expected) => {
    expect(classify(code, phase)).toBe(expected);
  });

  it('tells a refused name server from a refused host', () => {
    expect(classify('ECONNREFUSED', 'connect', { syscall: 'queryA' })).toBe('FETCH_DNS_FAILED');
    expect(classify('ETIMEOUT', 'connect', { syscall: 'queryA' })).toBe('FETCH_DNS_FAILED');
  });

  it('keeps the cause and the table’s retryability', () => {
    const cause = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    const error = classifyFailure(cause, 'headers', 'http://a/x');
    expect(error.cause).toBe(cause);
    expect(error.retryable).toBe(FAILURE_POLICY.FETCH_RESET.retryable);
    expect(error.details).toEqual({ url: 'http://a/x', reason: 'ECONNRESET', phase: 'headers' });
  });

  it('survives things that are no errors', () => {
    expect(classifyFailure('text', 'body', 'http://a/').code).toBe('FETCH_PROTOCOL');
    expect(classifyFailure(undefined, 'connect', 'http://a/').code).toBe('FETCH_CONNECT');
  });
});

describe('abortFailure', () => {
  it('is the signal’s own reason where that is an error of the engine', () => {
    const lost = fetchError('FETCH_GATE_LOST', 'the gate was lost');
    expect(abortFailure(lost, 'http://a/')).toBe(lost);
    expect(abortFailure(new Error('shutdown'), 'http://a/').code).toBe('FETCH_ABORTED');
  });
});
