import type { Migration } from '@sheaf/postgres';

export const returnUrl: Migration = {
  name: '0009_return_url',
  up: (db) =>
    db.raw(`
      -- Where the respondent goes from the checkout, if they came from a page that wants them back. Kept, because the same key at the
      -- provider wants the same addresses.
      alter table payment add column return_url text;
    `),
};
