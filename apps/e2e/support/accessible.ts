import type { BrowserUserOptions } from '@sheaf/testing';
import { visitStates, type Forms } from './all-states';
import { asRespondent } from './browser';
import { tooWide } from './criteria';

/** Looks at every state that a respondent can come to. */
export async function expectAccessible(forms: Forms, options: BrowserUserOptions): Promise<void> {
  const user = await asRespondent(options);
  await visitStates(user, forms, async (state) => {
    await user.screenshot(state);
    expect({ state, tooWide: await tooWide(user.page) }).toEqual({ state, tooWide: [] });
    expect({ state, faults: await user.accessibilityFaults() }).toEqual({ state, faults: [] });
  });
}
