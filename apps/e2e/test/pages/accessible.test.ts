import { expectAccessible } from '../../support/accessible';
import { formsWithEverything } from '../../support/all-states';
import { itInBrowser } from '../../support/browser';

// The smallest room, without scripts: `criteria` looks at the pages with scripts, in the other direction. Further looks follow at night.
itInBrowser('on a phone, in dark colours, without scripts, axe finds nothing wrong with any page, and none scrolls sideways', async () =>
  expectAccessible(await formsWithEverything(), { width: 320, dark: true, javaScript: false }),
);
