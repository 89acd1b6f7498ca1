import type { Locator } from 'playwright-core';

/** Waits until the focus is there: it moves a moment after what moves it. */
export const hasFocus = (control: Locator): Promise<void> => control.and(control.page().locator(':focus')).waitFor();
