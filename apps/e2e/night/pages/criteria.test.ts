import { expectNoFaults, expectNothingCutOff, expectOnePlaceOfHelp, expectVisibleStops, lookedAt } from '../../support/accessible';
import { formsWithEverything, type Forms } from '../../support/all-states';
import { itInBrowser } from '../../support/browser';

let forms: Forms;
beforeAll(async () => {
  forms = await formsWithEverything();
});

itInBrowser.each([320, 1_024])('in English, %i pixels wide, every page meets all criteria', async (width) => {
  const seen = await lookedAt(forms, { width });
  for (const check of [expectNoFaults, expectNothingCutOff, expectVisibleStops, expectOnePlaceOfHelp]) check(seen);
});
