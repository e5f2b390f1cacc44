/**
 * End to end: pages a second, what each process uses, events a page.
 *
 *     npm run bench -- [HOSTSxPAGES …]      default 40x50 200x20
 *
 * Real servers in a scratch folder, a synthetic web of plain pages (no latency, delay 0), one worker
 * process; then the same requests in a bare undici loop, for the ratio. Prints Markdown.
 */
import { cpus } from 'node:os';
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
    `### ${shape.hosts} hosts × ${shape.pages} pages`,
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

const given = process.argv.slice(2);
const shapes = (given.length > 0 ? given : DEFAULT_SHAPES).map(parseShape);
const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, Node ${process.version}\n`);
for (const shape of shapes) console.log(markdown(await crawlOnce(shape)));
