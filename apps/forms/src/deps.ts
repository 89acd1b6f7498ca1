import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import type { XlsForms } from './xlsform/reading-threads';

/** The dependencies of the use cases. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  workspaces: Pick<Client<WorkspacesDefinition>, 'getFolder' | 'findPeople' | 'findPersonByEmail'>;
  xlsForms: XlsForms;
  settings: { FORMS_MAX_GRANTS: number; SLUG_QUARANTINE_DAYS: number };
}
