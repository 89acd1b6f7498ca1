import { inBrowser } from '@sheaf/testing';
import { anyone } from './people';

/** A test that needs a browser. `npm test` brings one; without one, SKIP_BROWSER=1 leaves these tests out. */
export const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;

/** The suite for the night tries every combination. */
export const isNight = process.env.FUZZ_SHARE === '1';

/** A test of a rule that the server alone decides: the gate tries it without scripts, the night with them as well. */
export const itWithScriptsAtNight = (javaScript: boolean): jest.It => (javaScript && !isNight ? it.skip : itInBrowser);

/** A respondent with a browser of their own. It may be the emptied one of an earlier test: a new one took four times as long as opening a page. */
export const asRespondent = inBrowser(() => anyone.origin, { handsOn: true });
