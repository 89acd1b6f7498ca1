import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Call } from '@sheaf/rpc';
import type { SessionTokens } from './sessions/session-token';
import type { ThrottleSettings } from './sessions/throttle-settings';
import type { QuarantineSettings } from './workspace/slug-quarantine';

/** Who asks, and in which request: as much of it as the audit log wants to know. */
export interface By<C> {
  caller: C;
  call: Pick<Call, 'requestId' | 'address' | 'trace'>;
}

/** As much as what a command can do beside the service needs. */
export type CommandDeps = Pick<Deps, 'db' | 'outbox' | 'clock'> & { settings: Pick<Deps['settings'], 'INVITATION_DAYS' | 'SLUG_QUARANTINE_DAYS'> };

/** What the use cases of this service work with. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  sessionTokens: SessionTokens;
  settings: ThrottleSettings & QuarantineSettings & { SESSION_DAYS: number; INVITATION_DAYS: number; AUDIT_LOG_DAYS: number; SERVICE_DOMAIN?: string | undefined };
}
