import type { Migration } from '@sheaf/postgres';

export const formList: Migration = {
  name: '0008_form_list',
  up: (db) =>
    db.raw(`
      -- A trusted extension, like pg_trgm: the owner of the database may create it.
      create extension if not exists btree_gin;

      -- The place of a title in a list that is sorted by title. Decomposed, so that a letter with a mark sorts next to the letter without it, by
      -- the code points of Unicode alone: an order by language could change with a library of the server, which would corrupt the index.
      -- Cut, because an index takes no long entries; equal places are ordered by id.
      create function title_place(given text) returns text immutable strict parallel safe language sql
        return left(normalize(folded(given), nfd), 100);
    `),
};
