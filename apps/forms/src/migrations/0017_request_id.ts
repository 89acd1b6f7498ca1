import { outboxRequestId } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';

export const requestId: Migration = { name: '0017_request_id', up: (db) => db.raw(outboxRequestId) };
