import type { Migration } from '@sheaf/postgres';

/** Lets people recognize their sessions. Null in sessions of earlier versions, and where a client sends no user agent. */
export const shownSessions: Migration = {
  name: '0014_shown_sessions',
  up: (db) => db.raw('alter table session add column user_agent text, add column address text, add column last_used_at timestamptz'),
};
