import { findChromium } from '@sheaf/embedded';
import type { Browser } from 'playwright-core';
import { BrowserUser, type BrowserUserOptions } from './user';

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
  return chromium.launch({ executablePath: executable, env, args: [...flags, ...more] });
}

/**
 * Gives the tests of a file people with browsers, all in one Chromium. After each test it closes them, and fails the test for problems in
 * their browsers that the test did not take.
 * @param origin returns the address of the system that they use
 * @param handsOn whether a test may get the emptied browser of an earlier one, if its profile suits the test. The scripts of an application are
 *   compiled once then, which took half of the processor time of the screens' browser.
 */
export function inBrowser(origin: () => string, { handsOn = false } = {}): (options?: BrowserUserOptions) => Promise<BrowserUser> {
  let browser: Promise<Browser> | undefined;
  const users: BrowserUser[] = [];
  const free: BrowserUser[] = [];

  afterEach(async () => {
    const rest = await Promise.all(
      users.splice(0).map(async (user) => {
        const untaken = await user.problems.rest();
        if (handsOn && untaken.length === 0 && (await user.empty())) free.push(user);
        else await user.context.close();
        return [...untaken, ...user.problems.take()];
      }),
    );
    expect(rest.flat()).toEqual([]);
  });
  afterAll(async () => (await browser)?.close());

  return async (options = {}) => {
    browser ??= launchChromium([unoptimized]);
    const at = free.findIndex((each) => each.suits(options));
    const [suitable] = free.splice(at, at < 0 ? 0 : 1);
    await suitable?.handTo(options);
    const user = suitable ?? (await BrowserUser.start(await browser, origin(), options));
    users.push(user);
    return user;
  };
}
