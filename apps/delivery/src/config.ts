import { requireProxy, sendingSettings } from '@sheaf/egress';
import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings, signingSettings } from '@sheaf/rpc';
import { address, list, ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...signingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  ...sendingSettings,
  HOOKS_ADDR: address(),
  FORMS_ADDR: address(),
  SUBMISSIONS_ADDR: address(),
  WORKSPACES_ADDR: address(),
  /** POSTs that this process may have in flight, not counting those that turn out to hang (see `Slots`). */
  DELIVERY_CONCURRENCY: whole(1, 10_000).default(400),
  /** How many of these may go to one subscription. */
  DELIVERY_PER_SUBSCRIPTION: whole(1, 1_000).default(10),
  /** How many deliveries of one subscription may be pending; any more fail without an attempt and can be redelivered. */
  DELIVERY_BACKLOG: whole(1, 10_000_000).default(100_000),
  /** How many attempts this process may begin for one instance per minute; any more wait. 0: unlimited. */
  DELIVERY_PER_INSTANCE_PER_MINUTE: whole(0, 10_000_000).default(60_000),
  /** A subscription is switched off after this many days of nothing but failures; 0: never. */
  SUBSCRIPTION_FAILING_DAYS: whole(0, 365).default(5),
  /** Subscribers that take longer to answer wait in the slow lane, apart from the others. */
  DELIVERY_SLOW_MS: whole(1, 60_000).default(2_000),
  /**
   * How long events, deliveries and attempts can be viewed and redelivered. Longer than the broker keeps an event, because it
   * may redeliver the event.
   */
  DELIVERY_LOG_DAYS: whole(2, 400).default(30),
  /** The head of the response must arrive within this time (contract, section 6.1). */
  DELIVERY_TIMEOUT_MS: whole(1, 60_000).default(10_000),
  /** The pause before each retry, counted from the previous failure; there are as many retries as pauses. */
  RETRY_DELAYS_MS: list()
    .transform((items) => items.map(Number))
    .pipe(z.array(z.int('must be a list of milliseconds').min(0, 'must be at least 0').max(86_400_000, 'must be at most a day')))
    .default([4_000, 16_000]),
  /** The ports at which this deployment is reached, besides 80 and 443; nothing is sent to its instances' hosts at these ports. */
  PUBLIC_PORTS: list()
    .pipe(z.array(z.string().regex(/^[1-9]\d{0,4}$/, 'must be a list of ports')))
    .default([]),
  /**
   * The secrets from which signing keys are derived, each at least 32 characters long. The first is current; a second one keeps signing
   * alongside it, so that receivers can learn the new keys before it is removed.
   */
  WEBHOOK_SIGNING_SECRETS: list().pipe(
    z
      .array(z.string().min(32, 'must be secrets of at least 32 characters'))
      .min(1, 'must be at least one secret')
      .max(2, 'must be at most two secrets'),
  ),
  /** How long the previous key signs alongside the new one after a rotation. */
  WEBHOOK_KEY_OVERLAP_MS: whole(60_000, 31 * 86_400_000).default(86_400_000),
  /** When the broker's stream is searched again for the answers of an erased submission: by then, all that was on its way has arrived. */
  ERASING_SECOND_LOOK_MS: whole(0, 3_600_000).default(120_000),
  /** How long the process waits for POSTs in flight before it stops. */
  SHUTDOWN_GRACE_MS: whole(0, 600_000).default(15_000),
}).superRefine(requireProxy);

export type Config = z.output<typeof Config>;
