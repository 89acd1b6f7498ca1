import { z } from 'zod';
import { hookEvents } from '../events';
import { bool, cursorPage, instant, listOf, oneOf, text } from '../shapes';
import { HookSubscription } from '../v1/hooks';
import { Actor } from './actor';
import { attemptErrors, SubscriberResponse } from '../operations/deliveries';

/** The `source` of webhooks created in the application. Any other value names the platform that subscribed. */
export const applicationSource = 'application';

/** `contract`: the bodies of the v1 contract. `named`: the same with the labels of fields and options, and links to files. */
export const payloads = ['contract', 'named'] as const;
export type Payload = (typeof payloads)[number];

/** The payload of this name: `contract` for none, as from an earlier release of a service, and for one of a later release. */
export const payloadOf = (name: string | undefined): Payload => payloads.find((known) => known === name) ?? 'contract';

/** The forms whose events a webhook receives. */
export const webhookScopes = ['form', 'workspace', 'instance'] as const;

/** Why a webhook is inactive. */
export const deactivationReasons = ['gone', 'failing', 'access_ended', 'switched_off'] as const;
export type DeactivationReason = (typeof deactivationReasons)[number];

const shownUrl = z.string().meta({
  description:
    'Viewers see only the origin (`https://hooks.example.org`), except for their own subscriptions, because a URL may contain a secret.',
});

export const Deactivation = z.object({ reason: z.enum(deactivationReasons), at: instant(), detail: z.string().optional() });

/** What `delivery` knows of a webhook to which all attempts fail. */
export const WebhookFailing = z.object({
  since: instant(),
  last_status: z.int().optional(),
  last_error: z.enum(attemptErrors).optional(),
  last_code: z.string().optional(),
});

/** The deliveries from while a webhook was switched off, which can be sent afterwards: at most 1,000 are counted. */
export const SkippedDeliveries = z.object({ count: z.int(), from: instant() });

/** `failing` and `skipped` are absent where a webhook is not asked about, and if `delivery` does not answer in time. */
export const Webhook = HookSubscription.extend({
  form_id: z.string().nullable(),
  workspace_id: z.string().nullable(),
  scope: z.enum(webhookScopes),
  url: shownUrl,
  events: z.array(z.string()),
  payload: z.enum(payloads),
  deactivated: Deactivation.nullable(),
  failing: WebhookFailing.nullable().optional(),
  last_delivered_at: instant().optional(),
  skipped: SkippedDeliveries.nullable().optional(),
  created_at: instant(),
  created_by: Actor,
});

export const WebhookList = listOf(Webhook);
export const OwnHooksQuery = z.object(cursorPage);
export const OwnHookList = z.object({ data: z.array(Webhook), next_cursor: z.string().nullable() });

const event = () => oneOf(hookEvents);
const events = () =>
  z
    .array(event(), 'must be an array')
    .min(1, 'must have at least one event')
    .max(hookEvents.length, `must have at most ${hookEvents.length} events`)
    .refine((listed) => new Set(listed).size === listed.length, 'must not name an event twice');
const targetUrl = () => text(1, 2_048);

/** Either `event` or `events`. */
const eventOrEvents = { event: event().optional(), events: events().optional() };
type EventOrEvents = { event?: string | undefined; events?: string[] | undefined };
const hasBoth = ({ event, events }: EventOrEvents): boolean => event !== undefined && events !== undefined;
const notBoth = { path: ['events'], error: 'must not be given together with event' };

export const WebhookRequest = z
  .object({ target_url: targetUrl(), ...eventOrEvents, payload: oneOf(payloads).optional() })
  .refine((given) => !hasBoth(given), notBoth)
  .refine(({ event, events }) => event !== undefined || events !== undefined, { path: ['event'], error: 'is required' });

export const WebhookUpdateRequest = z
  .object({ active: bool().optional(), target_url: targetUrl().optional(), ...eventOrEvents, payload: oneOf(payloads).optional() })
  .refine((given) => !hasBoth(given), notBoth);

/** The requested events in the order of the contract, whichever way they were given; undefined if none were. */
export const eventsIn = ({ event, events }: EventOrEvents): [string, ...string[]] | undefined => {
  const given = events ?? (event === undefined ? [] : [event]);
  const [first, ...others] = hookEvents.filter((known) => given.includes(known));
  return first && [first, ...others];
};

/** `form_id` names the form whose fields the sample has; only webhooks of a workspace or the instance need it. */
export const WebhookTestRequest = z.object({ event: event().optional(), form_id: text(1, 64).optional() });

/** How the POST of a sample ended: with a `status`, or with an `error` if no response arrived. */
export const WebhookTestResult = z.object({
  delivered: z.boolean(),
  status: z.int().nullable(),
  error: z.enum(attemptErrors).nullable(),
  code: z.string().optional(),
  duration_ms: z.int(),
  response: SubscriberResponse.optional(),
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
});
