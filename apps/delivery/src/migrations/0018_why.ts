import type { Migration } from '@sheaf/postgres';
import { settleAttempts } from '../database/settle-attempts.sql';

/** Why attempts failed. Processes of the version before settle with the same function, and leave both columns null. */
export const why: Migration = {
  name: '0018_why',
  up: (db) =>
    db.raw(`
      alter table attempt
        -- The code that explains the error further, such as CERT_HAS_EXPIRED.
        add column code text,
        -- What a response other than 2xx said, which may repeat answers: {text, isCut, contentType, location}.
        add column response json;

      ${settleAttempts}
    `),
};
