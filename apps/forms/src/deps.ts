import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';

/** What the use cases of this service work with. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
}
