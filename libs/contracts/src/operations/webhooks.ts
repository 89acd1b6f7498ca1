import { z } from 'zod';
import { Actor } from '../app/actor';
import { WebhookBatch } from '../app/webhook-batch';
import { WebhookFields, WebhookFilter } from '../app/webhook-filter';
import { ShownWebhookHeader, WebhookHeaders } from '../app/webhook-headers';
import { attemptErrors, SubscriberResponse } from './deliveries';
import { described, leftOut } from '../described';
import { webhookEvents } from '../events';
import { bool, createdAt, cursorPage, instant, listOf, oneOf, text } from '../shapes';
import { operation, type Operation } from './operation';
import { idOfForm, pathParam, type PathParam } from './params';
import { HookSubscription, targetUrl } from './subscriptions';

/** The `source` of webhooks created in the application. Any other value names the platform that subscribed. */
export const applicationSource = 'application';

/** `contract`: the bodies of the v1 contract. `named`: the same with the labels of fields and options, and links to files. */
export const payloads = ['contract', 'named'] as const;
export type Payload = (typeof payloads)[number];

/** The payload of this name: `contract` for none, as from an earlier release of a service, and for one of a later release. */
export const payloadOf = (name: string | undefined): Payload => payloads.find((known) => known === name) ?? 'contract';

/** How long a webhook is tried. `standard`: the attempts of the contract. The others go on after them. */
export const retrySchedules = ['standard', 'day', 'three_days'] as const;
export type RetrySchedule = (typeof retrySchedules)[number];

/** The schedule of this name: null for none, as for the subscription of a platform, and `standard` for one of a later release. */
export const retryOf = (name: string | null | undefined): RetrySchedule | null =>
  name === null || name === undefined ? null : (retrySchedules.find((known) => known === name) ?? 'standard');
/**
 * How requests are signed, as Standard Webhooks names it: always with the Ed25519 key of the instance (`v1a`), and with `v1` also by HMAC-SHA-256 with a
 * secret of the webhook's own.
 */
export const webhookSignatures = ['v1a', 'v1'] as const;
export type WebhookSignature = (typeof webhookSignatures)[number];

/** The forms whose events a webhook receives. */
export const webhookScopes = ['form', 'workspace', 'instance'] as const;

/** Why a webhook is inactive. */
export const deactivationReasons = ['gone', 'failing', 'access_ended', 'switched_off'] as const;
export type DeactivationReason = (typeof deactivationReasons)[number];

const shownUrl = z.string().meta({
  description:
    'Viewers see only the origin (`https://hooks.example.org`), except for their own subscriptions, because a URL may contain a secret.',
});

const moment = '2026-03-04T16:05:12.000Z';
const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';
const theEvents = 'The events, in the order of the contract.';
const theBodies = 'The bodies that it receives.';
const theFilter = 'The events that it hears of, among those that it listens to.';
const theFields = 'The keys of the fields whose answers it receives.';
const theBatches = 'Its events are sent together, in batches of at most so many, each of which waits for others for at most so long.';
const theRetries = 'How long a delivery is tried.';

export const Deactivation = described(
  z.object({
    reason: described(z.enum(deactivationReasons), 'The reason.'),
    at: described(instant(), 'The time of the change.', moment),
    detail: described(z.string().optional(), 'The last failure of a webhook that failed for days, such as `HTTP 500` or `timeout`.'),
  }),
  'When and why a webhook was deactivated.',
);

/** The knowledge of `delivery` of a webhook to which all attempts fail. */
export const WebhookFailing = described(
  z.object({
    since: described(instant(), 'When the first of these attempts failed.'),
    last_status: described(
      z.int().optional(),
      'The HTTP status of the last attempt of the newest failed delivery. Absent if no answer arrived, and until the first delivery has failed.',
    ),
    last_error: described(z.enum(attemptErrors).optional(), 'Why no answer to that attempt arrived, such as `timeout`; absent if one did.'),
    last_code: described(z.string().optional(), 'The code of that error, as in an attempt.', leftOut),
  }),
  'How a webhook fails to which every attempt fails.',
);

/** The deliveries from while a webhook was switched off, which can be sent afterwards: at most 1,000 are counted. */
export const SkippedDeliveries = described(
  z.object({
    count: described(z.int(), 'How many there are; at most 1,000 are counted.'),
    from: described(instant(), 'When the oldest of them was planned.'),
  }),
  'The deliveries of a webhook from while it was switched off.',
);

/** The events that a filter kept from its webhook: they are counted, as a busy form would fill the log with them. */
export const WithheldEvents = described(
  z.object({
    count: described(z.int(), 'How many there are.'),
    last_at: described(instant(), 'When the last of them was planned.'),
  }),
  'The events that the filter of a webhook has kept from it.',
);

/** `failing` and `skipped` are absent where a webhook is not asked about, and if `delivery` does not answer in time. */
export const Webhook = described(
  HookSubscription.extend({
    form_id: described(z.string().nullable(), 'The form whose events it receives; null for those of a workspace or the instance.', form),
    event: described(z.string(), 'The first of its events.', 'submission.created'),
    source: described(z.string(), 'The platform that subscribed, or `application`.', 'application'),
    workspace_id: described(
      z.string().nullable(),
      'The workspace, or that of the form; null for the instance.',
      '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04',
    ),
    scope: described(z.enum(webhookScopes), 'The forms whose events it receives.', 'form'),
    url: described(shownUrl, 'The URL that deliveries go to.', 'https://hooks.example.org/catch/1'),
    events: described(z.array(z.string()), theEvents, ['submission.created']),
    payload: described(z.enum(payloads), theBodies, 'contract'),
    retry: described(z.enum(retrySchedules), theRetries, 'standard'),
    signature: described(
      z.enum(webhookSignatures),
      'How its requests are signed: `v1a` with the Ed25519 key of the instance, `v1` also by HMAC-SHA-256 with a secret of its own.',
      'v1a',
    ),
    secret: described(
      z.string().optional(),
      'Its new secret (`whsec_…`). Only in the answer to the request that made it: it is never shown again.',
      leftOut,
    ),
    previous_secret_until: described(
      instant().optional(),
      'Until when requests are signed with the previous secret too; absent if there is none.',
      leftOut,
    ),
    headers: described(
      z.array(ShownWebhookHeader),
      'The headers of its own that it sends with each request. Their values are never shown.',
      [],
    ),
    filter: described(WebhookFilter.nullable(), `${theFilter} Null if it hears of all.`, null),
    fields: described(WebhookFields.nullable(), `${theFields} Null for the answers of all fields.`, null),
    batch: described(WebhookBatch.nullable(), `${theBatches} Null if each event is a request of its own.`, null),
    deactivated: described(Deactivation.nullable(), 'When and why it was deactivated; null while it is active.'),
    failing: described(
      WebhookFailing.nullable().optional(),
      'Since when every attempt has failed; null if the last one succeeded. Only in answers to a GET of the webhooks, or of one webhook, of a form, a workspace or the instance, and absent if the delivery service does not answer in time.',
      { since: moment, last_status: 503 },
    ),
    last_delivered_at: described(
      instant().optional(),
      'When its latest event that arrived was delivered. Absent where `failing` is, and if the delivery log has none.',
      '2026-03-04T15:58:40.000Z',
    ),
    skipped: described(
      SkippedDeliveries.nullable().optional(),
      'Its deliveries from while it was switched off, if any have not been sent since: redeliver those of the state `skipped`, one or a range. Absent where `failing` is, but present after an update.',
      { count: 12, from: moment },
    ),
    withheld: described(
      WithheldEvents.nullable().optional(),
      'How many events its filter has kept from it, since it first had one; null if none. Absent where `failing` is.',
      leftOut,
    ),
    created_at: createdAt(),
    created_by: described(Actor, 'The person or service account that created it.', {
      kind: 'user',
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07',
    }),
  }),
  'A webhook of a form, a workspace or the instance, or the subscription of a platform to a form.',
);

export const WebhookList = described(listOf(Webhook), 'A list of webhooks.');
export const OwnHookList = described(
  z.object({
    data: described(z.array(Webhook), 'The items of this page.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
  }),
  "A page of the caller's own webhooks and subscriptions.",
);

const event = () => oneOf(webhookEvents);
/** Events, each once. */
export const severalEvents = () =>
  z
    .array(event(), 'must be an array')
    .min(1, 'must have at least one event')
    .max(webhookEvents.length, `must have at most ${webhookEvents.length} events`)
    .refine((listed) => new Set(listed).size === listed.length, 'must not name an event twice');

/** Either `event` or `events`. */
const eventOrEvents = {
  event: described(event().optional(), 'The event. New values may be added.', 'submission.created'),
  events: described(severalEvents().optional(), theEvents, leftOut),
};
type EventOrEvents = { event?: string | undefined; events?: string[] | undefined };
const hasBoth = ({ event, events }: EventOrEvents): boolean => event !== undefined && events !== undefined;
const notBoth = { path: ['events'], error: 'must not be given together with event' };
const payload = described(oneOf(payloads).optional(), theBodies, 'contract');
const retry = described(oneOf(retrySchedules).optional(), theRetries, 'standard');
const signature = described(
  oneOf(webhookSignatures).optional(),
  'How its requests are signed: `v1a` with the Ed25519 key of the instance, `v1` also by HMAC-SHA-256 with a secret of its own, which the answer has in `secret`, once.',
  leftOut,
);
const filter = (how: string) => described(WebhookFilter.nullable().optional(), `${theFilter} ${how}`, leftOut);
const fields = (how: string) => described(WebhookFields.nullable().optional(), `${theFields} ${how}`, leftOut);
const batch = (how: string) => described(WebhookBatch.nullable().optional(), `${theBatches} ${how}`, leftOut);
const headersOfItsOwn = 'Headers to send with each request, such as a credential of the receiver.';

export const WebhookRequest = described(
  z
    .object({
      target_url: targetUrl(),
      ...eventOrEvents,
      payload,
      retry,
      signature,
      headers: described(WebhookHeaders.optional(), headersOfItsOwn, leftOut),
      filter: filter('Absent or null: all of them.'),
      fields: fields('Absent or null: all of them; an empty list: none.'),
      batch: batch('Absent or null: each event is a request of its own.'),
    })
    .refine((given) => !hasBoth(given), notBoth)
    .refine(({ headers = [] }) => headers.every(({ value }) => value !== undefined), {
      path: ['headers'],
      error: 'must each have a value',
    })
    .refine(({ event, events }) => event !== undefined || events !== undefined, { path: ['event'], error: 'is required' }),
  'The webhook to create: with `event`, or with `events`.',
);

export const WebhookUpdateRequest = described(
  z
    .object({
      active: described(bool().optional(), 'Whether deliveries are sent.', true),
      target_url: targetUrl().optional(),
      ...eventOrEvents,
      payload,
      retry,
      signature,
      new_secret: described(
        bool().optional(),
        'Makes a new secret for the signature `v1`, which the answer has in `secret`, once. The previous one signs too for 24 hours; until then, another one is 409.',
        leftOut,
      ),
      headers: described(
        WebhookHeaders.optional(),
        `${headersOfItsOwn} They replace the present ones: leave the value out to keep that of a header, and the header to remove it. A new origin in \`target_url\` needs all values again.`,
        leftOut,
      ),
      filter: filter('Null removes the filter. Pending deliveries that it keeps from the webhook are not sent.'),
      fields: fields('Null: all of them; an empty list: none. They apply to pending deliveries too.'),
      batch: batch(
        'Null: each event is a request of its own. It applies to what is planned from then on: pending deliveries are sent as they were planned.',
      ),
    })
    .refine((given) => !hasBoth(given), notBoth),
  'Changes to a webhook. Absent properties stay unchanged.',
);

/** The requested events in the order of the contract, whichever way they were given; undefined if none were. */
export const eventsIn = ({ event, events }: EventOrEvents): [string, ...string[]] | undefined => {
  const given = events ?? (event === undefined ? [] : [event]);
  const [first, ...others] = webhookEvents.filter((known) => given.includes(known));
  return first && [first, ...others];
};

/** `form_id` names the form whose fields the sample has; only webhooks of a workspace or the instance need it. */
export const WebhookTestRequest = described(
  z.object({
    event: described(event().optional(), "One of the webhook's events; if absent, its first.", 'submission.created'),
    form_id: described(
      text(1, 64).optional(),
      'The form whose fields the sample has. Required for a webhook of a workspace or the instance.',
      leftOut,
    ),
  }),
  'The sample to send.',
);

/** How the POST of a sample ended: with a `status`, or with an `error` if no response arrived. */
export const WebhookTestResult = described(
  z.object({
    delivered: described(z.boolean(), 'Whether the subscriber answered with a 2xx status.', true),
    status: described(z.int().nullable(), 'The HTTP status of the answer; null if none arrived.', 200),
    error: described(z.enum(attemptErrors).nullable(), 'The reason why no answer arrived, such as `timeout`; null if one did.', null),
    code: described(
      z.string().optional(),
      'The code that explains `error` further, as Node.js and OpenSSL name it: `CERT_HAS_EXPIRED`, `HPE_HEADER_OVERFLOW`. Absent if there is none. New values may be added.',
      leftOut,
    ),
    duration_ms: described(z.int(), 'The time until the answer, in milliseconds.', 212),
    response: described(
      SubscriberResponse.optional(),
      'The response of the subscriber; absent if there was nothing but a status.',
      leftOut,
    ),
    request: described(
      z.object({
        headers: described(
          z.record(z.string(), z.string()),
          'The request headers of this attempt, including the signature; absent while the attempt is in progress, or if its outcome was lost.',
        ),
        body: described(z.string(), 'The exact text that is sent.'),
      }),
      'The request that was sent.',
    ),
  }),
  'The request that was sent, and how it ended.',
);

/** The forms whose events a webhook receives: where its operations are, and who may use them. */
interface Scope extends Pick<Operation, 'access' | 'onInstance' | 'params'> {
  path: string;
  /** As in "Create a webhook for a form". */
  of: string;
  mayBeMissing: boolean;
}

/** The same operations for the webhooks of a form, of a workspace and of the instance. The messages name which: their routes are written by hand. */
function webhooksOf({ path, of, mayBeMissing, params, ...access }: Scope) {
  const all = { ...access, path, ...(params && { params }) };
  const webhookId: PathParam = pathParam('id', 'The id of the webhook or the subscription.');
  const one = { ...access, path: `${path}/:webhookId`, params: { ...params, webhookId } };
  const missing = mayBeMissing ? [404] : [];
  return {
    list: { ...all, method: 'get', summary: `List the webhooks of ${of}`, status: 200, reply: WebhookList, errors: [401, 403, ...missing] },
    create: {
      ...all,
      method: 'post',
      summary: `Create a webhook for ${of}`,
      body: WebhookRequest,
      status: 201,
      reply: Webhook,
      errors: [400, 401, 403, ...missing, 409],
    },
    get: { ...one, method: 'get', summary: `Get a webhook of ${of}`, status: 200, reply: Webhook, errors: [401, 403, 404] },
    update: {
      ...one,
      method: 'patch',
      summary: `Update a webhook of ${of}`,
      body: WebhookUpdateRequest,
      status: 200,
      reply: Webhook,
      errors: [400, 401, 403, 404, 409],
    },
    delete: { ...one, method: 'delete', summary: `Delete a webhook of ${of}`, status: 204, errors: [401, 403, 404] },
    test: {
      ...one,
      path: `${one.path}/test`,
      method: 'post',
      summary: `Send a sample to a webhook of ${of}`,
      body: WebhookTestRequest,
      status: 200,
      reply: WebhookTestResult,
      errors: [400, 401, 403, 404, 429],
    },
  } as const;
}

const withScope = { scope: 'hooks:manage' } as const;

const ofForm = webhooksOf({
  path: '/app/v1/forms/:id/webhooks',
  of: 'a form',
  params: { id: idOfForm },
  access: withScope,
  mayBeMissing: true,
});
const ofWorkspace = webhooksOf({
  path: '/app/v1/workspaces/:id/webhooks',
  of: 'a workspace',
  params: { id: pathParam('id', "The workspace's id.") },
  // Service accounts are members of no workspace.
  access: 'person',
  mayBeMissing: true,
});
const ofInstance = webhooksOf({
  path: '/app/v1/webhooks',
  of: 'the instance',
  access: withScope,
  onInstance: 'manage webhooks of this instance',
  mayBeMissing: false,
});

export const listFormWebhooks = operation({
  ...ofForm.list,
  description:
    'Lists the webhooks of a form, including the subscriptions that platforms created through v1. Viewers see only the origin of each URL, except for their own subscriptions.',
});

export const createFormWebhook = operation({
  ...ofForm.create,
  description:
    'Creates a webhook for one or several events of a form. A second webhook for one of these events with the same URL is 409. A service account needs `submissions:read` as well for `submission.created`, whose bodies carry answers. For owners and editors of the form.',
});

export const getFormWebhook = operation({
  ...ofForm.get,
  description: 'Returns a webhook of a form, whether it fails, and why it was deactivated. Viewers see only the origin of its URL.',
});

export const updateFormWebhook = operation({
  ...ofForm.update,
  description:
    "Changes, deactivates or reactivates a webhook. Pending deliveries go to a new URL with the new payload, and are cancelled if it is deactivated or no longer listens to their event. Whoever changes the URL, the events or the payload becomes responsible for the webhook: it ends with their access. A platform's subscription can only be deactivated and reactivated. A service account needs `submissions:read` as well if the webhook listens to `submission.created`, whose bodies carry answers, before or after the change. For owners and editors of the form.",
});

export const deleteFormWebhook = operation({
  ...ofForm.delete,
  description: 'Deletes a webhook and cancels its pending deliveries. For owners and editors of the form.',
});

export const testFormWebhook = operation({
  ...ofForm.test,
  description:
    'Sends a sample to a webhook, once and at once, with answers made up for the fields of the form. The request has the header `Sheaf-Test: 1` and a valid signature. Nothing is stored, and the answer does not change the webhook. For owners and editors of the form.',
});

export const listWorkspaceWebhooks = operation({
  ...ofWorkspace.list,
  description: 'Lists the webhooks that receive the events of all forms of a workspace. For owners and admins of the workspace.',
});

export const createWorkspaceWebhook = operation({
  ...ofWorkspace.create,
  description:
    'Creates a webhook for events of all forms of a workspace, also of forms that are created or moved there later. For owners and admins of the workspace.',
});

export const getWorkspaceWebhook = operation({
  ...ofWorkspace.get,
  description: 'Returns a webhook of a workspace, whether it fails, and why it was deactivated. For owners and admins of the workspace.',
});

export const updateWorkspaceWebhook = operation({
  ...ofWorkspace.update,
  description:
    'Changes, deactivates or reactivates a webhook. Pending deliveries go to a new URL with the new payload, and are cancelled if it is deactivated. For owners and admins of the workspace.',
});

export const deleteWorkspaceWebhook = operation({
  ...ofWorkspace.delete,
  description: 'Deletes a webhook and cancels its pending deliveries. For owners and admins of the workspace.',
});

export const testWorkspaceWebhook = operation({
  ...ofWorkspace.test,
  description:
    'Sends a sample to a webhook, once and at once, with answers made up for the fields of the form that `form_id` names. The request has the header `Sheaf-Test: 1` and a valid signature. Nothing is stored, and the answer does not change the webhook. For owners and admins of the workspace.',
});

export const listInstanceWebhooks = operation({
  ...ofInstance.list,
  description:
    'Lists the webhooks that receive the events of all forms of the instance. For owners and admins of the instance, and for service accounts.',
});

export const createInstanceWebhook = operation({
  ...ofInstance.create,
  description:
    'Creates a webhook for events of all forms of the instance. For owners and admins of the instance, and for service accounts.',
});

export const getInstanceWebhook = operation({
  ...ofInstance.get,
  description:
    'Returns a webhook of the instance, whether it fails, and why it was deactivated. For owners and admins of the instance, and for service accounts.',
});

export const updateInstanceWebhook = operation({
  ...ofInstance.update,
  description:
    'Changes, deactivates or reactivates a webhook. Pending deliveries go to a new URL with the new payload, and are cancelled if it is deactivated. For owners and admins of the instance, and for service accounts.',
});

export const deleteInstanceWebhook = operation({
  ...ofInstance.delete,
  description: 'Deletes a webhook and cancels its pending deliveries. For owners and admins of the instance, and for service accounts.',
});

export const testInstanceWebhook = operation({
  ...ofInstance.test,
  description:
    'Sends a sample to a webhook, once and at once, with answers made up for the fields of the form that `form_id` names. The request has the header `Sheaf-Test: 1` and a valid signature. Nothing is stored, and the answer does not change the webhook. For owners and admins of the instance, and for service accounts.',
});

export const listOwnHooks = operation({
  method: 'get',
  path: '/app/v1/hooks',
  summary: 'List your webhooks and subscriptions',
  description:
    'Lists the webhooks and subscriptions that the caller created, or last changed where or what they send, on any form, workspace or the instance, the newest first; not those that others have changed so since. A page continues from `next_cursor`.',
  access: withScope,
  query: z.object(cursorPage),
  status: 200,
  reply: OwnHookList,
  errors: [400, 401, 403],
  rpc: 'hooks.ListOwnHooks',
  composed: true,
  answer: 'OwnHooks',
});
