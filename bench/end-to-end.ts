/**
 * End to end: pages a second, what each process uses, events a page.
 *
 *     npm run bench -- [HOSTSxPAGES …] [--delay MS]      default 40x50 200x20, no delay
 *
 * Real servers in a scratch folder, a synthetic web of plain pages (no latency), one worker process;
 * then the same requests in a bare undici loop, for the ratio. Prints Markdown.
 */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { crawlOnce, type Figures, type Shape } from './end-to-end/crawl-once.js';

const DEFAULT_SHAPES = ['40x50', '200x20'];

function parseShape(text: string): Shape {
  const match = /^(\d+)x(\d+)$/.exec(text);
  if (!match) throw new Error(`"${text}" is no shape; write HOSTSxPAGES, such as 40x50`);
  return { hosts: Number(match[1]), pages: Number(match[2]) };
}

function markdown(figures: Figures): string {
  const { shape, pages, requests, durationMs, historyEvents, uses, baseline } = figures;
  const rate = pages / (durationMs / 1000);
  const bareRate = pages / (baseline.durationMs / 1000);
  const per1000 = (seconds: number): string => ((seconds / pages) * 1000).toFixed(2);
  return [
    `### ${shape.hosts} hosts × ${shape.pages} pages, delay ${delayMs} ms`,
    '',
    `- ${pages} pages (${requests} requests) in ${(durationMs / 1000).toFixed(1)} s: ` +
      `**${rate.toFixed(0)} pages/s**`,
    `- history events a page: ${(historyEvents / pages).toFixed(2)}`,
    `- bare undici loop, same requests, one at a time per host: ${bareRate.toFixed(0)} pages/s, ` +
      `${per1000(baseline.cpuSeconds)} CPU-s per 1,000 pages; the engine runs at ` +
      `1/${(bareRate / rate).toFixed(1)} of it`,
    '',
    '| process | CPU-s per 1,000 pages | RSS, MiB | peak RSS, MiB |',
    '| --- | ---: | ---: | ---: |',
    ...uses.map(
      ({ name, cpuSeconds, rssMiB, peakRssMiB }) =>
        `| ${name} | ${per1000(cpuSeconds)} | ${rssMiB.toFixed(0)} | ${peakRssMiB.toFixed(0)} |`,
    ),
    '',
  ].join('\n');
}

// Measure what people run: the built product, or the build that is named.
if (process.env['ORBWEAVER_TEST_CLI'] === undefined) {
  const build = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', build], { stdio: 'inherit' });
}

const { values, positionals: given } = parseArgs({
  allowPositionals: true,
  options: { delay: { type: 'string', default: '0' } },
});
const delayMs = Number(values.delay);
if (!(delayMs >= 0)) throw new Error(`--delay: "${values.delay}" is no number of milliseconds`);
const shapes = (given.length > 0 ? given : DEFAULT_SHAPES).map(parseShape);
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, Node ${process.version}, ` +
    `load before: ${loadavg()[0]!.toFixed(1)}\n`,
);
for (const shape of shapes) console.log(markdown(await crawlOnce(shape, delayMs)));
