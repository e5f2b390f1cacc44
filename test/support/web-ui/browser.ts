/** A real browser on Temporal's web UI. */
import { existsSync } from 'node:fs';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

/** Debian's Chromium; CHROMIUM names another. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox', // tests run as root in containers
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long a part of a page may take to appear. */
const APPEARS_WITHIN_MS = 30_000;

/** A browser window. */
export interface WebUiBrowser {
  readonly page: Page;
  close(): Promise<void>;
}

/** What to tell people whose tests leave the web UI out; null when there is a browser. */
export function missingBrowser(): string | null {
  if (existsSync(CHROMIUM)) return null;
  return `${CHROMIUM} is not installed; on Debian: apt-get install chromium`;
}

/** Size of a window, in CSS pixels. */
export interface WindowSize {
  /** @default 1400 */
  readonly width?: number;
  /** @default 1000 */
  readonly height?: number;
  /** Pixels of a picture per CSS pixel. @default 1 */
  readonly scale?: number;
}

/**
 * Open a window with a profile of its own. It reaches loopback only: nothing on the web can change
 * what is seen.
 */
export async function openBrowser(size: WindowSize = {}): Promise<WebUiBrowser> {
  const { width = 1_400, height = 1_000, scale = 1 } = size;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(APPEARS_WITHIN_MS);
  await keepToLoopback(context);
  return { page: await context.newPage(), close: () => browser.close() };
}

async function keepToLoopback(context: BrowserContext): Promise<void> {
  await context.route(
    ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
    (route) => route.abort(),
  );
}
