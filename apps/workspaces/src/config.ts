import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { list, ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';
import { throttleSettings } from './sessions/throttle-settings';

const sessionSecret = () => z.string().min(32, 'must be secrets of at least 32 characters');

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  /** The first secret signs session tokens, and all of them verify: `new,old` during a rotation. */
  SESSION_SECRET: list().pipe(z.tuple([sessionSecret()], sessionSecret(), 'must be at least one secret')),
  SESSION_DAYS: whole(1, 365).default(30),
  /** A session ends after so many days without use, and after SESSION_DAYS in any case. */
  SESSION_IDLE_DAYS: whole(1, 365).default(14),
  INVITATION_DAYS: whole(1, 90).default(7),
  /** How long audit log entries are kept. */
  AUDIT_LOG_DAYS: whole(1, 3_650).default(365),
  /** How long a released slug stays reserved for the workspace that had it. */
  SLUG_QUARANTINE_DAYS: whole(0, 3_650).default(90),
  ...throttleSettings,
  /** Instances are served at `{workspace slug}.{SERVICE_DOMAIN}`. If unset, there is a single instance, served at every host. */
  SERVICE_DOMAIN: z.string().toLowerCase().optional(),
  /** The address to which the links of a single instance lead, such as invitations: `https://forms.example.org`. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => new URL(url).origin)
    .optional(),
});

export type Config = z.output<typeof Config>;
