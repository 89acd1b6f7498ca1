import { eventually } from '@sheaf/testing';
import type { Screen } from './on-screens';

/** Controls and texts that are wider than their place. */
const overflowing = `[...document.querySelectorAll('button, a, label, h1, h2, h3, p, [role=tab]')]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
  .filter((each) => !['hidden', 'clip'].includes(getComputedStyle(each).overflowX))
  .map((each) => each.tagName + ': ' + each.textContent)`;

/** Holds a screen that is 320 pixels wide, in this language, to its width and to axe. */
export async function fits(screen: Screen, language: string): Promise<void> {
  await eventually(async () =>
    expect(await screen.page.evaluate('[document.documentElement.lang, document.documentElement.scrollWidth]')).toEqual([language, 320]),
  );
  expect(await screen.page.evaluate(overflowing)).toEqual([]);
  expect(await screen.accessibilityFaults()).toEqual([]);
}
