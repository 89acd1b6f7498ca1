import type { Migration } from '@sheaf/postgres';

/** Chunks of the search index, before there were blocks. No version that runs beside this one knows them. */
export const noChunks: Migration = {
  name: '0101_no_chunks',
  up: (db) =>
    db.raw(`
      drop table if exists search_chunk, search_chunk_terms, stale_chunk;
      drop function if exists search_chunks_with, make_no_chunk;
    `),
};
