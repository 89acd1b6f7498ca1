import type { BrowserUserOptions } from '@sheaf/testing';
import { formsWithEverything, visitStates, type Forms } from '../../support/all-states';
import { asRespondent, itInBrowser } from '../../support/browser';
import { tooWide } from '../../support/criteria';

let forms: Forms;
beforeAll(async () => {
  forms = await formsWithEverything();
});

const looks: [string, BrowserUserOptions][] = [
  ['on a desktop, in light colours', {}],
  ['on a phone, in dark colours, without scripts', { width: 320, dark: true, javaScript: false }],
  ['on a phone, in Arabic', { width: 320, locale: 'ar' }],
  ['on a desktop, in Hebrew, in dark colours', { dark: true, locale: 'he' }],
  ['on a phone, in light colours', { width: 320 }],
  ['on a desktop, in dark colours', { dark: true }],
];

describe.each(looks)('%s', (_look, options) => {
  itInBrowser(
    'axe finds nothing wrong with any page, and none scrolls sideways',
    async () => {
      const user = await asRespondent(options);
      await visitStates(user, forms, async (state) => {
        await user.screenshot(state);
        expect({ state, tooWide: await tooWide(user.page) }).toEqual({ state, tooWide: [] });
        expect({ state, faults: await user.accessibilityFaults() }).toEqual({ state, faults: [] });
      });
    },
    120_000,
  );
});
