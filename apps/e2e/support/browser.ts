import { type BrowserUserOptions, inBrowser } from '@sheaf/testing';
import { anyone } from './people';

/** A test that needs a browser. `npm test` brings one; without one, SKIP_BROWSER=1 leaves these tests out. */
export const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;

/** The suite for the night tries every combination. */
export const isNight = process.env.FUZZ_SHARE === '1';

/** A test of a rule that the server alone decides: the gate tries it without scripts, the night with them as well. */
export const itWithScriptsAtNight = (javaScript: boolean): jest.It => (javaScript && !isNight ? it.skip : itInBrowser);

type Look = [language: string, options: BrowserUserOptions & { dark: boolean }];
const rightToLeft: Look = ['ar', { dark: false, width: 320 }];
const inDark: Look = ['en', { dark: true, width: 320 }];

/**
 * The looks in which axe tries a state with and without scripts, which are two states. Each look shows faults of its own, so the gate has both once,
 * as `accessible` and `criteria` do for all pages. The night has every look of either, and a wide window.
 */
export const looksOf = (javaScript: boolean): Look[] =>
  isNight ? [rightToLeft, inDark, ['en', { dark: false }]] : [javaScript ? rightToLeft : inDark];

/** A respondent with a browser of their own. It may be the emptied one of an earlier test: a new one took four times as long as opening a page. */
export const asRespondent = inBrowser(() => anyone.origin, { handsOn: true });
