import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';
import { throttleSettings } from './sign-in-throttle';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  /** Signs the tokens of sessions. */
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters'),
  SESSION_DAYS: whole(1, 365).default(30),
  INVITATION_DAYS: whole(1, 90).default(7),
  /** How long the audit log remembers. */
  AUDIT_LOG_DAYS: whole(1, 3_650).default(365),
  ...throttleSettings,
  /** An instance is found at `{workspace slug}.{SERVICE_DOMAIN}`. Without one there is a single instance, at every host. */
  SERVICE_DOMAIN: z.string().toLowerCase().optional(),
});

export type Config = z.output<typeof Config>;
