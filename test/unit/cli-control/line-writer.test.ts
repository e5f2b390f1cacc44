import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineWriter } from '../../../src/cli/control/line-writer.js';

const failing = (code: string) =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });

async function writeMany(stream: Writable, lines: number): Promise<{ written: number }> {
  const writer = new LineWriter(stream);
  let written = 0;
  while (written < lines && (await writer.line('x'.repeat(1000)))) written += 1;
  await writer.end();
  return { written };
}

describe('LineWriter', () => {
  it('waits for its reader', async () => {
    let inFlight = 0;
    let most = 0;
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        inFlight += chunk.length;
        most = Math.max(most, inFlight + slow.writableLength - chunk.length);
        setImmediate(() => {
          inFlight -= chunk.length;
          done();
        });
      },
    });
    expect(await writeMany(slow, 2000)).toEqual({ written: 2000 });
    expect(most).toBeLessThan(128 * 1024);
  });

  it('ends quietly when the reader is gone', async () => {
    const { written } = await writeMany(failing('EPIPE'), 2000);
    expect(written).toBeLessThan(100);
  });

  it('fails with what the stream failed with', async () => {
    await expect(writeMany(failing('ENOSPC'), 2000)).rejects.toMatchObject({
      code: 'OUTPUT_WRITE',
      message: "stdout: can't be written, ENOSPC; make room, or write elsewhere",
    });
  });
});
