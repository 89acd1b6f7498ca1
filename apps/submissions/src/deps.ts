import type { Relay } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Admission } from './access-code/admission';
import type { ExactForms } from './exact/exact-forms';
import type { FormsView } from './form/forms-view';
import type { Steps } from './insights/steps';
import type { Visits } from './insights/visits';
import type { IntakeGuard } from './intake/guard';
import type { IntakeMetrics } from './intake/intake-metrics';
import type { FormQueue } from './form-queue';
import type { Payments } from './payments/provider';
import type { Files } from './files/storage/files';

/** The dependencies of this service's use cases. */
export interface Deps {
  db: Database;
  outbox: Relay;
  clock: Clock;
  forms: FormsView;
  /** Lets respondents in to forms that have an access code. */
  admission: Admission;
  /** Makes the rules of forms hold that are about all submissions together. */
  exact: Pick<ExactForms, 'ready' | 'current' | 'soonReady' | 'renew'>;
  guard: IntakeGuard;
  /** Counts how often forms are opened, begun and completed. */
  visits: Pick<Visits, 'note'>;
  /** Counts how far respondents get. */
  steps: Pick<Steps, 'note'>;
  intakeMetrics?: IntakeMetrics;
  /** Limits on submissions that wait to be stored. */
  queue: { submissions: number; bytes: number };
  /** Creates blocks for lists that are read far from the start. */
  blocks: Pick<FormQueue, 'request'>;
  /** Fills the blocks of the search index for forms that are searched. */
  searchBlocks: Pick<FormQueue, 'request'>;
  /** Undefined where payments are not configured: forms with a payment then take no submissions. */
  payments?: Payments | undefined;
  files: Files;
  /** How long shorter days for keeping submissions wait before they take effect. */
  graceMs: number;
  /** Limits on answers that are saved for later. */
  saved: { formBytes: number };
}
