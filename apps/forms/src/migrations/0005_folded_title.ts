import type { Migration } from '@sheaf/postgres';

export const foldedTitle: Migration = {
  name: '0005_folded_title',
  up: (db) =>
    db.raw(`
      -- A title as it is searched: canonically composed and case-folded, so that STRASSE finds Straße however its letters were typed.
      -- PostgreSQL 18 folds by Unicode alone, whatever the locale of the database; a function, so that index and queries cannot differ.
      create function folded(given text) returns text immutable strict parallel safe language sql
        return normalize(casefold(normalize(given, nfc) collate pg_unicode_fast), nfc);
      create index form_folded_title on form using gin (folded(title) gin_trgm_ops);
      -- form_title stays for copies of the service that still use it.
    `),
};
