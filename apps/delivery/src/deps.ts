import type { Egress } from '@sheaf/egress';
import type { Outbox } from '@sheaf/events';
import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Call, Client, FormsDefinition } from '@sheaf/rpc';
import type { Log, Tracer } from '@sheaf/runtime';
import type { Seals } from './keys/seals';
import type { WebhookKeys } from './keys/webhook-keys';
import type { ListenedForms } from './listening/listened-forms';
import type { Metrics } from './metrics';
import type { Payloads } from './payloads/payloads';
import type { ListenerSource } from './planning/remembered-listeners';

/** The dependencies of this service's use cases. */
export interface Deps {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  log: Log;
  tracer?: Tracer | undefined;
  metrics: Metrics;
  forms: Pick<Client<FormsDefinition>, 'getFormAccess'>;
  payloads: Pick<Payloads, 'bodyOf'>;
  hooks: ListenerSource;
  listenedForms: Pick<ListenedForms, 'hear' | 'rememberMs'>;
  egress: Pick<Egress, 'post'>;
  webhookKeys: WebhookKeys;
  seals: Seals;
  /** A call that this process makes on its own behalf. */
  ownCall: () => Call;
  settings: {
    DELIVERY_CONCURRENCY: number;
    DELIVERY_PER_SUBSCRIPTION: number;
    DELIVERY_BACKLOG: number;
    DELIVERY_PER_INSTANCE_PER_MINUTE: number;
    SUBSCRIPTION_FAILING_DAYS: number;
    DELIVERY_SLOW_MS: number;
    DELIVERY_TIMEOUT_MS: number;
    DELIVERY_LOG_DAYS: number;
    RETRY_DELAYS_MS: readonly number[];
    ERASING_SECOND_LOOK_MS: number;
  };
}
