import { text } from '@sheaf/contracts';
import { z } from 'zod';

/** The form of a tool. */
export const formIdIn = text(1, 64).describe('The id of a form, from find_forms.');

export const wholeNumber = (least: number, most: number) =>
  z.int('must be a whole number').min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);

/** A page of a list. */
export const pageIn = (most: number, usual: number) => ({
  limit: wholeNumber(1, most).default(usual).describe(`How many at most, up to ${most}.`),
  cursor: text(1, 2_000).optional().describe('next_cursor of the page before.'),
});
