import type { Migration } from '@sheaf/postgres';
import { settleAttempts } from '../database/settle-attempts.sql';

/** Responses are kept also after a 2xx, with some of their headers. Processes of the version before settle with the same function, and keep less. */
export const allResponses: Migration = { name: '0025_all_responses', up: (db) => db.raw(settleAttempts) };
