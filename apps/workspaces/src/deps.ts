import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { SessionTokens } from './session-token';

/** What the use cases of this service work with. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  sessionTokens: SessionTokens;
  settings: { SESSION_DAYS: number; INVITATION_DAYS: number; AUDIT_LOG_DAYS: number; SERVICE_DOMAIN?: string | undefined };
}
