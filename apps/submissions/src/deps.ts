import type { Relay } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { FormsView } from './form/forms-view';
import type { IntakeGuard } from './intake/guard';
import type { ListBlocks } from './list/blocks';
import type { Payments } from './payments/provider';
import type { Files } from './files/storage/files';

/** What the use cases of this service work with. */
export interface Deps {
  db: Database;
  outbox: Relay;
  clock: Clock;
  forms: FormsView;
  guard: IntakeGuard;
  /** How much may wait to be stored. */
  queue: { submissions: number; bytes: number };
  /** Counts lists that are read far behind their beginning. */
  blocks: Pick<ListBlocks, 'want'>;
  /** Absent where payments are not set up: forms that collect one take no submissions then. */
  payments?: Payments | undefined;
  files: Files;
}
