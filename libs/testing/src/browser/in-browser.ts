import { findChromium } from '@sheaf/embedded';
import type { Browser } from 'playwright-core';
import { keptForAllFiles } from '../kept-for-all-files';
import { BrowserUser, suits, type BrowserUserOptions, type Profile } from './user';

/** No sandbox, because containers and root lack what it needs, and tests open our own pages only. No traffic of the browser's own. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page of a test is gone before optimized code has paid for its making, which took a tenth of the processor time of a screen's tests. */
const unoptimized = '--js-flags=--no-maglev,--no-turbofan';

/** Starts the Chromium of the tests. @throws Error that says what to install, if none can be had */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { executable, env } = await findChromium({ env: process.env });
  // Loaded lazily, because most tests do not need it.
  const { chromium } = await import('playwright-core');
  // Listeners of signals would be left to the next test file. Chromium ends with the process that started it: its pipe breaks.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return chromium.launch({ executablePath: executable, env, args: [...flags, ...more], ...signals });
}

interface Kept {
  browser: Promise<Browser>;
  /** The emptied profiles, for whom they suit. */
  free: Profile[];
  closing?: NodeJS.Timeout;
}

/** One Chromium for all test files of a process. */
const kept = keptForAllFiles<Kept>('Chromium');

/** By then the next file of the process has begun, or there is none: without an end, the browser would keep the process. */
const idleMs = 3_000;

function theBrowser(): Kept {
  const there = kept.get('');
  if (there) return there;
  const one: Kept = { browser: launchChromium([unoptimized]), free: [] };
  kept.set('', one);
  // One that could not be started, or has ended, would fail all tests after this one.
  const forget = () => forgetBrowser(one);
  one.browser.then((browser) => browser.once('disconnected', forget), forget);
  return one;
}

function forgetBrowser(one: Kept): void {
  clearTimeout(one.closing);
  if (kept.get('') === one) kept.delete('');
}

function closeWhenIdle(): void {
  const one = kept.get('');
  if (!one) return;
  clearTimeout(one.closing);
  one.closing = setTimeout(() => {
    forgetBrowser(one);
    // Its failure would be that of a test file which has nothing to do with it.
    one.browser.then((browser) => browser.close()).catch(() => undefined);
  }, idleMs);
}

/**
 * Gives the tests of a file people with browsers. After each test it closes them, and fails the test for problems in their browsers that the test
 * did not take.
 * @param origin returns the address of the system that they use
 * @param handsOn whether a test may get the emptied browser of an earlier one, if its profile suits the test. The scripts of an application are
 *   compiled once then, which took half of the processor time of the screens' browser.
 * @param isForAllFiles whether the system at that address is there for all test files of the process: then they, too, hand on their browsers
 */
export function inBrowser(
  origin: () => string,
  { handsOn = false, isForAllFiles = false } = {},
): (options?: BrowserUserOptions) => Promise<BrowserUser> {
  const users: { user: BrowserUser; free: Profile[] }[] = [];

  beforeAll(() => clearTimeout(kept.get('')?.closing));
  afterEach(async () => {
    const rest = await Promise.all(
      users.splice(0).map(async ({ user, free }) => {
        const untaken = await user.problems.rest();
        const profile = handsOn && untaken.length === 0 ? await user.leave() : undefined;
        if (profile) free.push(profile);
        else await user.context.close();
        return [...untaken, ...user.problems.take()];
      }),
    );
    expect(rest.flat()).toEqual([]);
  });
  afterAll(async () => {
    const one = kept.get('');
    if (one && !isForAllFiles) await Promise.all(one.free.splice(0).map(({ context }) => context.close()));
    closeWhenIdle();
  });

  return async (options = {}) => {
    const { browser, free } = theBrowser();
    const at = free.findIndex((each) => suits(each, origin(), options));
    const [profile] = free.splice(at, at < 0 ? 0 : 1);
    const user = profile
      ? await BrowserUser.takeOver(await browser, profile, options)
      : await BrowserUser.start(await browser, origin(), options);
    users.push({ user, free });
    return user;
  };
}
