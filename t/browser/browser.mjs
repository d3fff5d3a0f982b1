// What the browser tests share: Debian's Chromium, one line of JSON per
// check, and pages that must have no errors.

import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser']
  .find((path) => existsSync(path));

export const [url, shots] = process.argv.slice(2);

let failed = 0;

export function check(ok, name, detail = '') {
  if (!ok) {
    failed += 1;
  }
  process.stdout.write(`${JSON.stringify({ ok: Boolean(ok), name, detail })}\n`);
}

export async function launch() {
  if (!executable) {
    throw new Error('chromium is missing: run ./build.sh deps');
  }
  return chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}

// A person: a context of his own and a page that keeps its complaints.
export async function person(browser, name, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options,
  });
  const page = await context.newPage();
  const complaints = [];

  page.on('console', (message) => {
    if (message.type() === 'error') {
      complaints.push(`console: ${message.text()} ${message.location().url}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.stack}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') {
      complaints.push(`request: ${request.url()} ${why}`);
    }
  });
  page.on('response', (response) => {
    if (response.status() >= 400) {
      complaints.push(`answer: ${response.status()} ${response.url()}`);
    }
  });
  page.setDefaultTimeout(10000);

  return { context, page, complaints, name };
}

export async function shot(page, name) {
  if (shots) {
    await page.screenshot({ path: `${shots}/${name}.png` });
  }
}

// Runs steps in order; the first that throws ends the test.
export async function run(steps) {
  const browser = await launch();
  try {
    await steps(browser);
  } catch (error) {
    check(false, 'the test runs to its end', error.stack);
  } finally {
    await browser.close();
  }
  process.exit(failed ? 1 : 0);
}

// Waits until the stream sources of a room page are live.
export async function connected(page) {
  await page.waitForFunction(() => {
    const sources = document.querySelectorAll('turbo-cable-stream-source');
    return sources.length >= 3
      && [...sources].every((source) => source.hasAttribute('connected'));
  });
}

export async function write(page, text) {
  const editor = page.locator('#message_body .lexxy-editor__content');
  await editor.click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

export function message(page, text) {
  return page.locator('.message[data-message-id]', { hasText: text });
}
