import { inBrowser } from '@sheaf/testing';
import { anyone } from './people';

/** A test that needs a browser. `npm test` brings one; without one, SKIP_BROWSER=1 leaves these tests out. */
export const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;

/** A respondent with a browser of their own. */
export const asRespondent = inBrowser(() => anyone.origin);
