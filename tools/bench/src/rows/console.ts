import { launchChromium } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { median, type Bench, type Result } from '../row';

/** Opens the console in a real browser: how long until a person sees what they came for, beyond the server's own answer. */
export async function consoleRows(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world } = bench;
  const { system } = world;
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ baseURL: system.origin, viewport: { width: 1_280, height: 800 } });
    const { email, password } = system.credentials.user;
    const signedIn = await context.request.post('/app/v1/sessions', { data: { email, password, cookie: true } });
    if (!signedIn.ok()) throw new Error(`signing in answered ${signedIn.status()}: ${await signedIn.text()}`);
    const page = await context.newPage();

    report(await firstScreen(page, bench));
    const [few, many] = world.quick ? [100, 1_000] : [1_000, 1_000_000];
    const opened = [];
    for (const count of [few, many]) {
      const form = await world.formWith(count);
      opened.push({ count, times: await openings(page, form, bench) });
    }
    const [first, second] = opened.map(({ times }) => median(times));
    for (const { count, times } of opened) {
      const isLast = count === many;
      report({
        name: `console: open ${count.toLocaleString('en')} submissions`,
        p50: median(times),
        p99: Math.max(...times),
        ...(isLast && first !== undefined && second !== undefined ? { ratio: second / first } : {}),
        goal: isLast ? `p50 ≤ 300 ms, ≤ 1.3 × of ${few.toLocaleString('en')}` : 'p50 ≤ 300 ms',
        note: 'from the click to visible rows, without the request for them',
      });
    }
  } finally {
    await browser.close();
  }
}

/** From the address to the list of forms, with an empty cache each time. */
async function firstScreen(page: Page, bench: Bench): Promise<Result> {
  const times: number[] = [];
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < timesOf(bench); round += 1) {
    await session.send('Network.clearBrowserCache');
    const from = performance.now();
    await page.goto('/console/forms');
    await page.getByRole('button', { name: 'New form' }).first().waitFor();
    times.push(performance.now() - from);
  }
  return { name: 'console: until the list of forms is usable', p50: median(times), p99: Math.max(...times), note: 'with an empty cache' };
}

async function openings(page: Page, form: string, bench: Bench): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= timesOf(bench); round += 1) {
    await page.goto(`/console/forms/${form}/share`);
    await page.getByRole('link', { name: 'Submissions' }).waitFor();
    await page.evaluate(untilQuiet);
    const took = await page.evaluate<number>(untilRows);
    // The first one also loads the screen itself.
    if (round > 0) times.push(took);
  }
  return times;
}

const timesOf = ({ world, rounds }: Bench): number => (world.quick ? 1 : rounds * 3);

/** Runs in the page. Not Playwright's `networkidle`, which never comes: the stream of events stays open. */
const untilQuiet = `(async () => {
  const lastEnd = () => Math.max(...performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd));
  while (performance.now() - lastEnd() < 500) await new Promise((next) => setTimeout(next, 50));
})()`;

/** Runs in the page. @returns milliseconds from the click to the first row, without the time of the request for it */
const untilRows = `(async () => {
  const link = [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === 'Submissions');
  performance.clearResourceTimings();
  const from = performance.now();
  link.click();
  const isShown = () => document.querySelector('[role=grid] [role=row][aria-rowindex="2"]') !== null;
  while (!isShown()) await new Promise((next) => requestAnimationFrame(next));
  const took = performance.now() - from;
  const requests = performance.getEntriesByType('resource').filter(({ name }) => /\\/submissions\\?/.test(name));
  return took - Math.max(0, ...requests.map(({ duration }) => duration));
})()`;
