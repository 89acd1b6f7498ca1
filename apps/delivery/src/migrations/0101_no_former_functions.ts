import type { Migration } from '@sheaf/postgres';

/** Functions that no version which runs beside this one calls. */
export const noFormerFunctions: Migration = {
  name: '0101_no_former_functions',
  up: (db) =>
    db.raw(`
      drop function if exists settle_attempts(jsonb);
      drop function if exists look_for_due(timestamptz, timestamptz, integer[], text, jsonb, uuid[], uuid[], integer[]);
    `),
};
