/** How a running crawl is shown: live on a terminal, in plain lines when piped, or not at all. */
import { createLogUpdate } from 'log-update';
import type { CliStream } from '../context.js';
import { renderFrame, type FrameFacts } from './frame.js';
import { PlainReporter } from './plain-reporter.js';
import { RateMeter, type Rates, type Snapshot } from './snapshot.js';

/** Shows a crawl while it runs. */
export interface Display {
  update(snapshot: Snapshot): void;
  /** Something to say now: an event, a warning. Stays on the screen. */
  say(line: string): void;
  /** What goes on at the moment; replaces the last note. */
  note(text: string | null): void;
  /** The final figures are about to be printed: leave the terminal in order. */
  close(): void;
}

/** Which display, and for which crawl. */
export interface DisplayOptions extends Pick<FrameFacts, 'crawlId' | 'startedAtMs' | 'webUrl'> {
  readonly stream: CliStream;
  readonly mode: 'live' | 'plain' | 'quiet';
}

const REDRAW_MS = 250;

export function createDisplay(options: DisplayOptions): Display {
  switch (options.mode) {
    case 'live':
      return new LiveDisplay(options);
    case 'plain':
      return new PlainReporter((line) => void options.stream.write(`${line}\n`), options);
    case 'quiet':
      return { update() {}, say() {}, note() {}, close() {} };
  }
}

class LiveDisplay implements Display {
  private readonly options: DisplayOptions;
  private readonly draw: ReturnType<typeof createLogUpdate>;
  private readonly meter = new RateMeter();
  private readonly timer: NodeJS.Timeout;
  private rates: Rates = { pagesPerSecond: 0, bytesPerSecond: 0 };
  private snapshot: Snapshot | null = null;
  private noteText: string | null = null;
  private lineCount = 0;
  private isClosed = false;

  constructor(options: DisplayOptions) {
    this.options = options;
    this.draw = createLogUpdate(options.stream as unknown as NodeJS.WritableStream);
    // Clocks and waits move also while nothing arrives.
    this.timer = setInterval(() => this.render(), REDRAW_MS);
    this.timer.unref();
    this.render();
  }

  update(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.rates = this.meter.add(snapshot);
  }

  say(line: string): void {
    if (this.isClosed) {
      this.options.stream.write(`${line}\n`);
      return;
    }
    this.draw.clear();
    this.options.stream.write(`${line}\n`);
    this.render();
  }

  note(text: string | null): void {
    this.noteText = text;
    this.render();
  }

  close(): void {
    if (this.isClosed) return;
    this.render();
    this.isClosed = true;
    clearInterval(this.timer);
    this.draw.clear();
    this.draw.done();
  }

  private render(): void {
    if (this.isClosed) return;
    const { crawlId, startedAtMs, webUrl, stream } = this.options;
    const columns = stream.columns ?? 80;
    const rows = stream.rows ?? 24;
    const note = this.noteText;
    const facts = { crawlId, startedAtMs, webUrl, columns, rows, nowMs: Date.now(), note };
    const lines = renderFrame(this.snapshot, this.rates, facts);
    // The library patches the lines that differ, and leaves remains where their number does.
    if (lines.length !== this.lineCount) this.draw.clear();
    this.lineCount = lines.length;
    this.draw(lines.join('\n'));
  }
}
