import { afterAll, describe, expect, inject, it } from 'vitest';
import { Connection } from '@temporalio/client';
import { Redis } from 'ioredis';

describe('the servers that all tests share (F9, Q4)', () => {
  const redis = new Redis(inject('redisUrl'));
  afterAll(() => redis.quit());

  it.each([
    ['appendonly', 'yes'],
    ['appendfsync', 'everysec'],
    ['aof-load-truncated', 'yes'],
    ['save', '3600 1 300 100 60 10000'],
    ['maxmemory-policy', 'noeviction'],
    ['list-compress-depth', '1'],
    ['list-max-listpack-size', '-2'],
    ['protected-mode', 'yes'],
    ['bind', '127.0.0.1'],
  ])('Redis runs with %s %s', async (name, value) => {
    expect(await redis.config('GET', name)).toEqual([name, value]);
  });

  it('Redis reserves a Bloom filter', async () => {
    const key = `servers-test:${process.pid}`;
    expect(await redis.call('BF.RESERVE', key, '0.000001', '1000')).toBe('OK');
    await redis.del(key);
  });

  it('Temporal keeps closed workflows for an hour and knows the search attributes', async () => {
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    try {
      const namespace = await connection.workflowService.describeNamespace({
        namespace: 'default',
      });
      expect(Number(namespace.config?.workflowExecutionRetentionTtl?.seconds)).toBe(3_600);
      const attributes = await connection.operatorService.listSearchAttributes({
        namespace: 'default',
      });
      expect(Object.keys(attributes.customAttributes ?? {})).toEqual(
        expect.arrayContaining(['CrawlId']),
      );
    } finally {
      await connection.close();
    }
  });
});
