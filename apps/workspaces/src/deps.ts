import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Call } from '@sheaf/rpc';
import type { SessionTokens } from './sessions/session-token';
import type { ThrottleSettings } from './sessions/throttle-settings';
import type { QuarantineSettings } from './workspace/slug-quarantine';

/** The caller and the request, as far as the audit log records them. */
export interface By<C> {
  caller: C;
  call: Pick<Call, 'requestId' | 'address' | 'trace'>;
}

/** The dependencies of use cases that commands run outside the service. */
export type CommandDeps = Pick<Deps, 'db' | 'outbox' | 'clock'> & {
  settings: Pick<Deps['settings'], 'INVITATION_DAYS' | 'SLUG_QUARANTINE_DAYS'>;
};

/** The dependencies of the use cases. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  sessionTokens: SessionTokens;
  settings: ThrottleSettings &
    QuarantineSettings & {
      SESSION_DAYS: number;
      SESSION_IDLE_DAYS: number;
      INVITATION_DAYS: number;
      AUDIT_LOG_DAYS: number;
      SERVICE_DOMAIN?: string | undefined;
      PUBLIC_URL?: string | undefined;
    };
}
