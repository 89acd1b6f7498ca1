import type { Egress } from '@sheaf/egress';
import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, FormsDefinition } from '@sheaf/rpc';

/** The dependencies of the use cases. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  forms: Pick<Client<FormsDefinition>, 'getFormAccess' | 'listFieldKeys'>;
  egress: Pick<Egress, 'vet'>;
  /** How long `delivery` may use the listeners that it received: see `listeners/listener-lease.ts`. */
  listenerLeaseMs: number;
  settings: { HOOK_SOURCES: readonly string[]; HOOKS_MAX_PER_FORM: number };
}
