import { applicationSource } from '@sheaf/contracts';
import { targetSettings } from '@sheaf/egress';
import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { address, list, ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  ...targetSettings,
  FORMS_ADDR: address(),
  /** The automation platforms that may subscribe, by their `source`. */
  HOOK_SOURCES: list()
    .pipe(z.array(z.string().max(64)).min(1, 'must name at least one platform'))
    .refine(
      (names) => !names.includes(applicationSource),
      `must not name ${applicationSource}, which is reserved for webhooks created in the application`,
    )
    .default(['zapier', 'make']),
  /** The maximum number of subscriptions and webhooks per form: an event creates a delivery for each of them. */
  HOOKS_MAX_PER_FORM: whole(1, 10_000).default(100),
});

export type Config = z.output<typeof Config>;
