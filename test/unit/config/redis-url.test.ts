import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../../src/config/redis-url.js';

describe('parseRedisUrl', () => {
  it('fills in port and database', () => {
    expect(parseRedisUrl('redis://localhost')).toEqual({
      url: 'redis://localhost',
      display: 'redis://localhost:6379/0',
      tls: false,
      host: 'localhost',
      port: 6379,
      username: null,
      hasPassword: false,
      db: 0,
    });
  });

  it('reads TLS, an ACL user, an encoded password and a database, and displays no password', () => {
    const address = parseRedisUrl('rediss://cr%40wl:p%2Fss@redis.example:6380/3');
    expect(address).toMatchObject({ tls: true, port: 6380, username: 'cr@wl', db: 3 });
    expect(address.hasPassword).toBe(true);
    expect(address.display).toBe('rediss://cr%40wl@redis.example:6380/3');
  });

  it('takes an IPv6 host out of its brackets', () => {
    expect(parseRedisUrl('redis://[::1]:6379')).toMatchObject({ host: '::1', port: 6379 });
  });

  it.each([
    ['', /got an empty value/],
    ['localhost:6379', /got the scheme localhost:/],
    ['http://:hunter2@h', /got the scheme http:; use redis:/],
    ['redis://', /got no host/],
    ['redis://u:hunter2@h/db', /got a database that is no number/],
    ['redis://u:1/hunter2@h', /got a database that is no number/],
    ['redis://u:hunter2@h?db=1', /got a query or fragment/],
    ['redis://u:hunter2#x@h', /REDIS_URL: expected/],
    ['redis://u:hunter2/x@h', /REDIS_URL: expected/],
    ['redis://u:hunter2%zz@h', /broken percent-encoding/],
    ['redis://u:hunter2@h:port', /no URL \(kept out of this message\)/],
  ])('refuses %j without telling the password', (url, message) => {
    expect(() => parseRedisUrl(url)).toThrow(message);
    expect(() => parseRedisUrl(url)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }),
    );
    expect(() => parseRedisUrl(url)).not.toThrow(/hunter2/);
  });
});
