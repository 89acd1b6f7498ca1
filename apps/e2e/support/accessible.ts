import type { BrowserUserOptions } from '@sheaf/testing';
import { helpAddress, visitStates, type Forms } from './all-states';
import { asRespondent } from './browser';
import { cutOffWhenSpaced, placeOfHelp, tabThrough, tooWide, type Stop } from './criteria';

/** Looks at every state that a respondent can come to. */
export async function expectAccessible(forms: Forms, options: BrowserUserOptions): Promise<void> {
  const user = await asRespondent(options);
  await visitStates(user, forms, async (state) => {
    await user.screenshot(state);
    expect({ state, tooWide: await tooWide(user.page) }).toEqual({ state, tooWide: [] });
    expect({ state, faults: await user.accessibilityFaults() }).toEqual({ state, faults: [] });
  });
}

/** The finds of a walk in one of the states. */
export interface Seen {
  state: string;
  tooWide: string[];
  faults: string[];
  stops: Stop[];
  help: string;
  cutOff: string[];
}

/** Looks at every state once for all criteria: a walk costs more than a look. */
export async function lookedAt(forms: Forms, options: BrowserUserOptions): Promise<Seen[]> {
  const user = await asRespondent({ height: 480, ...options });
  const { page } = user;
  const seen: Seen[] = [];
  await visitStates(user, forms, async (state) => {
    await user.screenshot(state);
    const [wide, faults] = [await tooWide(page), await user.accessibilityFaults()];
    const [stops, help] = [await tabThrough(page), await placeOfHelp(page, helpAddress)];
    // Last, because the page stays spaced out.
    seen.push({ state, tooWide: wide, faults, stops, help, cutOff: await cutOffWhenSpaced(page) });
  });
  return seen;
}

export function expectNoFaults(seen: readonly Seen[]): void {
  for (const { state, faults, tooWide: wide } of seen) expect({ state, faults, wide }).toEqual({ state, faults: [], wide: [] });
}

export function expectNothingCutOff(seen: readonly Seen[]): void {
  for (const { state, cutOff } of seen) expect({ state, cutOff }).toEqual({ state, cutOff: [] });
}

export function expectVisibleStops(seen: readonly Seen[]): void {
  for (const { state, stops } of seen) {
    // Only the page of a form that does not exist has nothing to press.
    expect({ state, isEmpty: stops.length === 0 }).toEqual({ state, isEmpty: state === 'not-found' });
    expect({ state, hidden: stops.filter(({ isObscured, isMarked }) => isObscured || !isMarked) }).toEqual({ state, hidden: [] });
  }
}

export function expectOnePlaceOfHelp(seen: readonly Seen[]): void {
  const places = new Set(seen.filter(({ state }) => state !== 'not-found').map(({ help }) => help));
  expect(places.size).toBe(1);
  expect([...places]).not.toContain('nowhere');
}
