import type { EventEmitter } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { hangMs } from '../eventually';
import { accessibilityFaults, twinOf } from './accessibility';
import { Problems } from './problems';

export interface BrowserUserOptions {
  /** Whether scripts run; true by default. */
  javaScript?: boolean;
  dark?: boolean;
  width?: number;
  height?: number;
  /** The language of the browser: sets `Accept-Language`. */
  locale?: string;
  reducedMotion?: boolean;
  /** Other servers that this person's pages may use, such as the one that embeds a form. */
  origins?: readonly string[];
  /** An application keeps a session in a cookie. */
  isApplication?: boolean;
}

const screens = join(__dirname, '../../../../dist/screens');

const asContext = (options: BrowserUserOptions): BrowserContextOptions => ({
  javaScriptEnabled: options.javaScript ?? true,
  colorScheme: options.dark === true ? 'dark' : 'light',
  viewport: { width: options.width ?? 1_024, height: options.height ?? 768 },
  locale: options.locale ?? 'en-GB',
  reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  serviceWorkers: 'block',
});

/** The options that a profile has for good. The size of its window, its colors and its motion can change. */
const ofProfile = ({ javaScript = true, locale = '', origins = [], isApplication = false }: BrowserUserOptions) => [
  javaScript,
  locale,
  origins,
  isApplication,
];

const problemsIn = (context: BrowserContext, origin: string, { origins = [], isApplication = false }: BrowserUserOptions) =>
  new Problems(context, [origin, ...origins], isApplication);

/** An emptied profile. It has nothing of the test file that used it, so that another one can take it over. */
export interface Profile {
  context: BrowserContext;
  page: Page;
  origin: string;
  asked: BrowserUserOptions;
}

/** Whether an emptied profile can be that of somebody who uses this system, with these options. */
export const suits = ({ origin, asked }: Profile, ofSystem: string, options: BrowserUserOptions): boolean =>
  origin === ofSystem && isDeepStrictEqual(ofProfile(asked), ofProfile(options));

/** Playwright itself listens for these, so that what it waits for ends with the page. */
const ofPlaywright = ['close', 'crash'];

/**
 * Ends what a test listens for. Each listener goes alone: a choice of a file waits for somebody to make it until the page knows that none listens,
 * which `removeAllListeners` does not tell it.
 */
function endListening(emitter: EventEmitter): void {
  for (const event of emitter.eventNames().filter((name) => !ofPlaywright.includes(String(name))))
    for (const listener of emitter.listeners(event)) emitter.off(event, listener as () => void);
}

/** A person with a browser profile of their own. */
export class BrowserUser {
  private constructor(
    private readonly browser: Browser,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly problems: Problems,
    private readonly origin: string,
    readonly options: BrowserUserOptions,
  ) {}

  static async start(browser: Browser, origin: string, options: BrowserUserOptions): Promise<BrowserUser> {
    const context = await browser.newContext({ ...asContext(options), baseURL: origin });
    context.setDefaultTimeout(hangMs);
    const problems = problemsIn(context, origin, options);
    const page = await context.newPage();
    await problems.watch(page);
    return new BrowserUser(browser, context, page, problems, origin, options);
  }

  /** Gives an emptied profile to somebody with these options, which it suits. */
  static async takeOver(browser: Browser, { context, page, origin }: Profile, options: BrowserUserOptions): Promise<BrowserUser> {
    const { viewport = null, colorScheme = null, reducedMotion = null } = asContext(options);
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme, reducedMotion });
    const problems = problemsIn(context, origin, options);
    await problems.watch(page);
    return new BrowserUser(browser, context, page, problems, origin, options);
  }

  /** Opens a path of the system, or an address. @returns the status of the answer */
  async open(path: string): Promise<number> {
    const response = await this.page.goto(path);
    return response?.status() ?? 0;
  }

  /**
   * Empties the profile for somebody else: what pages have stored, where this person was, where the mouse is, and the routes, permissions and
   * listeners that the test has set. Scripts that a test adds stay, so it must take them away itself.
   * @returns nothing if that was impossible: the page is closed, or shows something of another server
   */
  async leave(): Promise<Profile | undefined> {
    const { page, context, origin } = this;
    if (page.isClosed() || !page.url().startsWith(origin)) return undefined;
    const others = context.pages().filter((each) => each !== page);
    await Promise.all(others.map((each) => each.close()));
    endListening(page as unknown as EventEmitter);
    await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()]);
    page.setDefaultTimeout(hangMs);
    await page.evaluate('sessionStorage.clear()');
    await this.problems.whileLeaving(() => page.goto('about:blank'));
    await page.mouse.move(-1, -1);
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.send('Page.resetNavigationHistory');
    await session.detach();
    await this.problems.unwatch();
    endListening(context as unknown as EventEmitter);
    return { context, page, origin, asked: this.options };
  }

  /** Returns what axe finds wrong with the page as it is now. */
  async accessibilityFaults(): Promise<string[]> {
    if (this.options.javaScript ?? true) return accessibilityFaults(this.page);
    const context = await this.browser.newContext({ ...asContext({ ...this.options, javaScript: true }), baseURL: this.origin });
    try {
      return await accessibilityFaults(await twinOf(this.page, context));
    } finally {
      await context.close();
    }
  }

  /** Writes a picture of the whole page to dist/screens, for people to look at, if somebody asks for pictures: drawing them takes long. */
  async screenshot(name: string): Promise<void> {
    if (process.env.PICTURES !== '1') return;
    const { dark, width, locale } = this.options;
    const kind = [dark === true ? 'dark' : 'light', ...(width === undefined ? [] : [width]), ...(locale === undefined ? [] : [locale])];
    await mkdir(screens, { recursive: true });
    await this.page.screenshot({ path: join(screens, `${name}.${kind.join('.')}.png`), fullPage: true });
  }
}
