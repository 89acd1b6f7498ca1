import type { BrowserUserOptions } from '@sheaf/testing';
import { expectAccessible } from '../../support/accessible';
import { formsWithEverything, type Forms } from '../../support/all-states';
import { itInBrowser } from '../../support/browser';

// Each direction, colour and setting of scripts once, where there is least room; other combinations follow at night.
const looks: [string, BrowserUserOptions][] = [
  ['on a phone, in dark colours, without scripts', { width: 320, dark: true, javaScript: false }],
  ['on a phone, in Arabic', { width: 320, locale: 'ar' }],
];

let forms: Forms;
beforeAll(async () => {
  forms = await formsWithEverything();
});

itInBrowser.each(looks)('%s, axe finds nothing wrong with any page, and none scrolls sideways', (_look, options) =>
  expectAccessible(forms, options),
);
