import type { Egress } from '@sheaf/egress';
import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, FormsDefinition } from '@sheaf/rpc';

/** What the use cases of this service work with. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  forms: Pick<Client<FormsDefinition>, 'getFormAccess'>;
  egress: Pick<Egress, 'vet'>;
  /** So long `delivery` may use an answer about who listens. Whoever changes that is answered only when no answer from before is in use. */
  listenersKeptMs: number;
  settings: { HOOK_SOURCES: readonly string[]; HOOKS_MAX_PER_FORM: number };
}
