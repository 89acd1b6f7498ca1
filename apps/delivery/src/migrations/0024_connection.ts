import type { Migration } from '@sheaf/postgres';
import { settleAttempts } from '../database/settle-attempts.sql';

/** How attempts reached their subscribers. Processes of the version before settle with the same function, and leave the column null. */
export const connection: Migration = {
  name: '0024_connection',
  up: (db) =>
    db.raw(`
      -- How long each step took, and the certificate: {isReused, dnsMs, connectMs, tlsMs, firstByteMs, tls: {protocol, issuer, expiresAt}}.
      alter table attempt add column connection json;

      ${settleAttempts}
    `),
};
