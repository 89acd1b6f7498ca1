import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { SessionTokens } from './session-token';
import type { ThrottleSettings } from './sign-in-throttle';

/** What the use cases of this service work with. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  sessionTokens: SessionTokens;
  settings: ThrottleSettings & { SESSION_DAYS: number; INVITATION_DAYS: number; AUDIT_LOG_DAYS: number; SERVICE_DOMAIN?: string | undefined };
}
