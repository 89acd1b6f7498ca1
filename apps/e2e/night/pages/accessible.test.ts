import type { BrowserUserOptions } from '@sheaf/testing';
import { expectAccessible } from '../../support/accessible';
import { formsWithEverything, type Forms } from '../../support/all-states';
import { itInBrowser } from '../../support/browser';

const looks: [string, BrowserUserOptions][] = [
  ['on a desktop, in light colours', {}],
  ['on a desktop, in Hebrew, in dark colours', { dark: true, locale: 'he' }],
  ['on a phone, in light colours', { width: 320 }],
  ['on a desktop, in dark colours', { dark: true }],
];

let forms: Forms;
beforeAll(async () => {
  forms = await formsWithEverything();
});

itInBrowser.each(looks)('%s, axe finds nothing wrong with any page, and none scrolls sideways', (_look, options) =>
  expectAccessible(forms, options),
);
