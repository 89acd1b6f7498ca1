import { z } from 'zod';
import { described, leftOut } from '../described';
import { webhookEvents } from '../events';
import { bool, createdAt, cursor, cursorPage, instant, listOf, offsetInstant, oneOf, page, text, whole } from '../shapes';
import { carriedAs, uncarried } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';

/** `skipped`: of an event from while its webhook was switched off. */
export const finishedDeliveryStates = ['succeeded', 'failed', 'cancelled', 'skipped'] as const;
export const deliveryStates = ['pending', ...finishedDeliveryStates] as const;

/** Why deliveries were cancelled, or failed without an attempt, by the state that they are in. */
const reasonsByState = {
  cancelled: ['gone', 'failing', 'ended', 'event_removed', 'erased', 'filtered'],
  failed: ['backlog_full', 'restored'],
} as const;
export const deliveryReasons = [...reasonsByState.cancelled, ...reasonsByState.failed] as const;
export const stateOfReason = (reason: string): 'cancelled' | 'failed' =>
  (reasonsByState.cancelled as readonly string[]).includes(reason) ? 'cancelled' : 'failed';

/** The statuses that an `answer` stands for, both inclusive; null for none. Undefined if it is malformed. */
export function statusesOfAnswer(answer: string): { first: number; last: number } | null | undefined {
  if (answer === 'none') return null;
  const [, hundreds, rest] = /^([1-5])(\d\d|xx)$/.exec(answer) ?? [];
  if (hundreds === undefined || rest === undefined) return undefined;
  const first = Number(hundreds) * 100;
  return rest === 'xx' ? { first, last: first + 99 } : { first: first + Number(rest), last: first + Number(rest) };
}

export const Delivery = described(
  z.object({
    id: described(z.string(), "The delivery's id, sent as `webhook-id` with every attempt.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    event_id: described(
      z.string(),
      "The event's id, the same for every subscription that receives the event.",
      '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c08',
    ),
    event: described(z.string(), 'The event. New values may be added.', 'submission.created'),
    form_id: described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    subscription_id: described(z.string(), 'The id of the webhook or the subscription.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c06'),
    url: described(
      z.string(),
      "The subscription's current URL; each attempt records the URL that it used. Viewers see only the origin.",
      'https://hooks.example.org/catch/1',
    ),
    state: described(z.string(), 'The state.', 'pending'),
    reason: described(
      z.string().optional(),
      'The reason for a cancellation: `gone` (the subscriber answered 410), `failing` (every attempt failed for days), `ended` (the subscription was removed or deactivated), `event_removed` (the webhook no longer listens to the event), `erased` (the submission was erased) or `filtered` (the filter of the webhook was changed and keeps it back). For a failure without an attempt, `backlog_full`: the subscription had too many pending deliveries. `restored`: the system was restored from a backup, and may have sent the delivery before; it is not sent again unless somebody asks for it.',
    ),
    attempt_count: described(z.int(), 'The number of attempts so far.', 1),
    next_attempt_at: described(
      instant().optional(),
      'The time of the next attempt; present only while the delivery is pending.',
      '2026-03-04T16:05:16.000Z',
    ),
    created_at: createdAt(),
    request_id: described(
      z.string().optional(),
      'The `X-Request-Id` of the request that caused the event; absent if none did, and for events from before it was recorded.',
      '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0a',
    ),
  }),
  'The delivery of one event to one subscriber.',
);

/**
 * A page by offset has the exact `total`. One by event, submission, answer, reason, time or cursor has `next_cursor`, and `total_at_least`, because counting would read all
 * deliveries.
 */
export const DeliveryList = described(
  listOf(Delivery).extend({
    total: described(z.int().optional(), 'The total number of items on all pages.', 1),
    total_at_least: described(
      z.int().optional(),
      'In place of `total`: there are at least this many submissions, as they are on this page.',
      leftOut,
    ),
    next_cursor: described(z.string().nullable().optional(), 'The `cursor` of the next page; null on the last page.', leftOut),
  }),
  'A page of deliveries.',
);

/** Why an attempt failed: `status` is an answer other than 2xx, `interrupted` an outcome that was lost, and all others mean that no answer arrived. */
export const attemptErrors = [
  'status',
  'timeout',
  'connection_refused',
  'reset',
  'unreachable',
  'dns',
  'tls',
  'proxy',
  'protocol',
  'url_not_allowed',
  'address_not_allowed',
  'origin_not_allowed',
  'interrupted',
  'unknown',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** The answer of a subscriber. */
export const SubscriberResponse = described(
  z.object({
    content_type: described(z.string().optional(), 'The media type of the body, as the subscriber named it.', 'application/pdf'),
    body: described(
      z.string(),
      'The first 2 KB of the body, as far as they arrived within a second. Bytes that are not UTF-8, and control characters but tabs and line breaks, are replaced.',
    ),
    truncated: described(z.boolean(), 'Whether the body went on.'),
    location: described(z.string().optional(), 'The target of a redirect, without its query.', leftOut),
    headers: described(
      z.record(z.string(), z.string()).optional(),
      'The headers that help to find out what happened: `allow`, `retry-after`, `www-authenticate`, rate limits, and ids of the request such as `x-request-id`. All others are left out, and values are cut after 200 characters.',
      { 'x-request-id': 'f058ebd6' },
    ),
  }),
  'The beginning of the response of a subscriber.',
);

/** Times are whole milliseconds; a step that was not finished, or not needed, has none. */
export const DeliveryConnection = described(
  z.object({
    reused: described(z.boolean(), 'Whether an earlier delivery opened the connection.', false),
    dns_ms: described(z.int().optional(), 'How long the lookup of the host took; absent for an address.', 4),
    connect_ms: described(z.int().optional(), 'How long connecting took, without TLS.', 18),
    tls_ms: described(z.int().optional(), 'How long the TLS handshake took.', 31),
    first_byte_ms: described(z.int().optional(), 'How long the answer took to begin, once there was a connection.', 159),
    tls: described(
      z
        .object({
          protocol: described(z.string().optional(), 'The version of TLS.', 'TLSv1.3'),
          issuer: described(z.string().optional(), 'The issuer that the certificate names.', "Let's Encrypt"),
          expires_at: described(instant().optional(), 'When the certificate expires.', '2026-05-01T00:00:00.000Z'),
        })
        .optional(),
      'The TLS of the connection; absent without TLS, and if it failed: then `code` of the attempt says why.',
    ),
  }),
  'How an attempt reached the subscriber.',
);

const batchId = described(
  z.string().optional(),
  'The id of the batch in which the event was sent, which is the `webhook-id` of the request; absent if it was sent singly.',
  leftOut,
);

export const DeliveryAttempt = described(
  z.object({
    number: described(z.int(), 'The number of the attempt, starting at 1.', 1),
    started_at: described(instant(), 'The time at which the attempt started.', '2026-03-04T16:05:12.000Z'),
    duration_ms: described(z.int().optional(), 'The duration in milliseconds; absent while the attempt is in progress.', 212),
    status: described(z.int().optional(), 'The HTTP status of the response; absent if there was no response.', 503),
    error: described(
      z.enum(attemptErrors).optional(),
      'The reason for the failure; absent if the attempt succeeded, and while it is in progress.',
      'status',
    ),
    code: described(
      z.string().optional(),
      'The code that explains `error` further, as Node.js and OpenSSL name it: `CERT_HAS_EXPIRED`, `HPE_HEADER_OVERFLOW`. Absent if there is none. New values may be added.',
      leftOut,
    ),
    url: described(z.string().optional(), 'The URL of this attempt. Viewers see only the origin.', 'https://hooks.example.org/catch/1'),
    batch_id: batchId,
    headers: described(
      z.record(z.string(), z.string()).optional(),
      'The request headers of this attempt, including the signature; absent while the attempt is in progress, or if its outcome was lost.',
      { 'webhook-id': '01936f2e…', 'webhook-timestamp': '1764000000', 'webhook-signature': 'v1a,…' },
    ),
    response: described(
      SubscriberResponse.optional(),
      'The response of the subscriber; absent if there was nothing but a status, once the submission was erased, and after a 2xx from before it was recorded. Requires the scope `submissions:read` and that the caller may change the webhook, because a subscriber may repeat the answers that it was sent, and its address.',
      { content_type: 'text/plain', body: 'Down for maintenance.', truncated: false },
    ),
    connection: described(
      DeliveryConnection.optional(),
      'How the attempt reached the subscriber; absent while it is in progress, if its outcome was lost, and for attempts from before this was recorded.',
    ),
  }),
  'One POST to a subscriber.',
);

export const DeliveryDetail = described(
  Delivery.extend({
    body: described(
      z.string().optional(),
      'The exact text that is sent. Requires the scope `submissions:read`, because the text contains answers.',
      '{"event":"submission.deleted","form_id":"…","submission_id":"…"}',
    ),
    attempts: described(z.array(DeliveryAttempt), 'The attempts, oldest first.'),
  }),
  'A delivery with the body that is sent and all attempts.',
);

const filters = {
  state: described(oneOf(deliveryStates).optional(), 'The state.'),
  subscription_id: described(text(0, 64).optional(), 'The id of the webhook or the subscription.'),
};

/** The deliveries planned at or after `from` and before `to`. Those of a change of several submissions at once have no `submission_id`. */
const moreFilters = {
  submission_id: described(
    text(0, 64).optional(),
    'Only deliveries of events of this submission, by its id or its reference, with or without hyphens. Changes of several submissions at once are not among them, nor are deliveries that an earlier version planned.',
  ),
  event: described(oneOf(webhookEvents).optional(), 'Only deliveries of this event.'),
  answer: described(
    text(1, 4)
      .refine((answer) => statusesOfAnswer(answer) !== undefined, 'must be a status such as 503, a class such as 5xx, or none')
      .optional(),
    'Only deliveries whose newest attempt was answered with this HTTP status (`503`), or one of this class (`5xx`); `none` if no answer arrived. Attempts under way do not count.',
  ),
  reason: described(
    oneOf(deliveryReasons).optional(),
    'Only deliveries that were cancelled, or failed without an attempt, for this reason. `restored`: those held back after a restore from a backup.',
  ),
  from: described(offsetInstant().optional(), 'Only deliveries planned from this time on.'),
  to: described(offsetInstant().optional(), 'Only deliveries planned before this time.'),
  cursor: cursor(),
};

export const DeliveriesSearch = z.object({ limit: page.limit, ...filters, ...moreFilters });

/** A page by offset, or by cursor: with both, nothing would be certain about the place. The message is that of a page by offset. */
export const DeliveriesQuery = uncarried(
  z.object({ ...page, ...filters, ...moreFilters }),
  ...(Object.keys(moreFilters) as (keyof typeof moreFilters)[]),
);

/** The deliveries to one webhook of a workspace or the instance, on all forms. */
export const WebhookDeliveriesQuery = z.object({ ...cursorPage, state: filters.state, ...moreFilters });
export const WebhookDeliveryList = described(
  z.object({
    data: described(z.array(Delivery), 'The items of this page.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
  }),
  'A page of the deliveries to a webhook.',
);
carriedAs(WebhookDeliveryList, { message: 'FoundDeliveries', names: { data: 'deliveries' } });

const deliveryId = pathParam('id', "The delivery's id.");

const longestMs = 31 * 24 * 60 * 60 * 1_000;

/** Selects the deliveries to send again: planned at or after `from` and before `to`; if `state` is absent, all that are not pending. */
export const RedeliverRequest = uncarried(
  described(
    z
      .object({
        from: described(offsetInstant(), 'The start of the period (inclusive).', '2026-11-20T00:00:00.000Z'),
        to: described(offsetInstant(), 'The end of the period (exclusive).', '2026-11-21T00:00:00.000Z'),
        state: described(oneOf(finishedDeliveryStates).optional(), 'Only deliveries in this state.', 'failed'),
        subscription_id: described(
          text(0, 64).optional(),
          'Only deliveries to this webhook or subscription.',
          '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c06',
        ),
        limit: described(
          whole(1, 1_000).optional(),
          'Sends at most so many, oldest first, and tells how to go on as `next_cursor`. With it, a period may have any number of deliveries.',
          leftOut,
        ),
        cursor: described(
          text(1, 1_000).optional(),
          'The `next_cursor` of the previous answer, with the same period, state and webhook. It needs `limit`.',
          leftOut,
        ),
        /** Only counts the deliveries. */
        dry_run: described(bool().optional(), 'Only counts the deliveries, if `true`; with a `cursor`, those that are left.', false),
      })
      .superRefine(({ from, to, limit, cursor: place }, issues) => {
        if (place !== undefined && limit === undefined) issues.addIssue({ code: 'custom', path: ['cursor'], message: 'needs limit' });
        const lengthMs = Date.parse(to) - Date.parse(from);
        if (lengthMs <= 0) issues.addIssue({ code: 'custom', path: ['to'], message: 'must be after from' });
        else if (lengthMs > longestMs) issues.addIssue({ code: 'custom', path: ['to'], message: 'must be at most 31 days after from' });
      }),
    'The deliveries to send again: those planned at or after `from` and before `to`. Without `state`, every delivery that is not pending.',
  ),
  'dry_run',
);

/** A dry run has `matching`, or `matching_at_least` if there are more than one request may send. */
export const Redelivered = described(
  z.object({
    redelivered: described(z.int(), 'The number of deliveries that will be sent again.', 12),
    matching: described(
      z.int().optional(),
      'For a dry run: how many deliveries would be sent again. Absent if they are more than are counted: 10,000, or 100,000 with `limit`.',
      12,
    ),
    matching_at_least: described(z.int().optional(), 'In place of `matching`, if the deliveries are more than are counted.', 10_001),
    next_cursor: described(
      z.string().nullable().optional(),
      'With `limit`: the `cursor` of the next request; null once everything was sent. Repeating a request with the same cursor sends nothing twice.',
      leftOut,
    ),
    waiting: described(
      z.int().optional(),
      'With `limit`: how many deliveries of these webhooks wait to be sent. While they are more than 5,000, a request sends nothing, and its cursor stays: try again after a few seconds.',
      leftOut,
    ),
  }),
  'The result of sending deliveries again.',
);

export const listDeliveries = operation({
  method: 'get',
  path: '/app/v1/forms/:id/deliveries',
  params: { id: formId },
  summary: 'List the deliveries of a form',
  description:
    'Lists the deliveries of a form to its subscribers, newest first. With `submission_id`, `event`, `answer`, `reason`, `from`, `to` or `cursor`, the list continues from a cursor instead of an offset, and a page may have fewer deliveries than `limit`, or none, and a `next_cursor` all the same: a request reads only so many deliveries, and the next one continues.',
  access: { scope: 'hooks:manage' },
  query: DeliveriesQuery,
  status: 200,
  reply: DeliveryList,
  errors: [400, 401, 403, 404],
  rpc: 'delivery.ListDeliveries',
  // A page by cursor is another method.
  composed: true,
  answer: 'DeliveryList',
});

export const getDelivery = operation({
  method: 'get',
  path: '/app/v1/forms/:id/deliveries/:deliveryId',
  params: { id: formId, deliveryId },
  summary: 'Get a delivery with its attempts',
  description: 'Returns one delivery with every attempt.',
  access: { scope: 'hooks:manage' },
  status: 200,
  reply: DeliveryDetail,
  errors: [401, 403, 404],
  rpc: 'delivery.GetDelivery',
  // Its body travels as the exact bytes, and the headers of attempts as a map.
  composed: true,
  answer: 'Delivery',
});

export const redeliverDelivery = operation({
  method: 'post',
  path: '/app/v1/forms/:id/deliveries/:deliveryId/redeliver',
  params: { id: formId, deliveryId },
  summary: 'Redeliver a delivery',
  description:
    'Resends a finished delivery under the same `webhook-id`, with three more attempts, if its webhook still listens to its event. A service account needs `submissions:read` as well for `submission.created`, whose bodies carry answers. For owners and editors of the form.',
  access: { scope: 'hooks:manage' },
  status: 202,
  reply: DeliveryDetail,
  errors: [400, 401, 403, 404],
  rpc: 'delivery.Redeliver',
  composed: true,
  answer: 'Delivery',
});

export const redeliverDeliveries = operation({
  method: 'post',
  path: '/app/v1/forms/:id/deliveries/redeliver',
  params: { id: formId },
  summary: 'Redeliver the deliveries of a period',
  description:
    'Resends up to 10,000 finished deliveries from a period of at most 31 days. With `dry_run`, only counts them: `redelivered` is 0, and `matching` tells how many would be sent. With `limit`, sends any number in steps: each answer has the `next_cursor` of the next step, and everything that has ended since the first step is left out, so that no step sends anything twice, also if it is repeated. A service account needs `submissions:read` for that in any case. Only those whose webhook is active and still listens to their event are sent. A service account needs `submissions:read` as well if one of them is of `submission.created`, whose bodies carry answers. For owners and editors of the form.',
  access: { scope: 'hooks:manage' },
  body: RedeliverRequest,
  status: 202,
  reply: Redelivered,
  errors: [400, 401, 403, 404],
  rpc: 'delivery.RedeliverMany',
  // To count them is another method.
  composed: true,
  answer: 'RedeliverManyReply',
});

/** An attempt as a line of its own: what was sent where, and how it ended. */
export const LoggedAttempt = described(
  z.object({
    delivery_id: described(z.string(), "The delivery's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    number: described(z.int(), 'The number of the attempt, starting at 1.', 1),
    event: described(z.string(), 'The event. New values may be added.', 'submission.created'),
    form_id: described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    subscription_id: described(z.string(), 'The id of the webhook or the subscription.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c06'),
    url: described(z.string(), 'The URL of this attempt. Viewers see only the origin.', 'https://hooks.example.org/catch/1'),
    reference: described(
      z.string().optional(),
      'The reference of the submission; absent for a change of several submissions at once.',
      'V5Q2-N0D0-6H',
    ),
    started_at: described(instant(), 'The time at which the attempt started.', '2026-03-04T16:05:12.000Z'),
    in_progress: described(z.boolean(), 'Whether the attempt is still in progress. If it is, ask again: it ends within seconds.', false),
    duration_ms: described(z.int().optional(), 'The duration in milliseconds; absent in progress, and if the outcome was lost.', 212),
    status: described(z.int().optional(), 'The HTTP status of the response; absent if there was no response.', 503),
    error: described(z.enum(attemptErrors).optional(), 'The reason for the failure; absent if the attempt succeeded.', 'status'),
    code: described(z.string().optional(), 'The code that explains `error` further. New values may be added.', leftOut),
    batch_id: batchId,
  }),
  'One POST to a subscriber, with its event.',
);

export const AttemptsQuery = z.object({
  ...cursorPage,
  subscription_id: filters.subscription_id,
  from: described(offsetInstant().optional(), 'Only attempts that started at or after this time; a minute ago if it is absent.'),
});

export const AttemptList = described(
  z.object({
    data: described(z.array(LoggedAttempt), 'The items of this page.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
    as_of: described(instant(), 'The time of this answer, by the clock that the times of attempts have.', '2026-03-04T16:05:14.000Z'),
  }),
  'A page of attempts.',
);
carriedAs(AttemptList, { names: { data: 'attempts' } });

export const listDeliveryAttempts = operation({
  method: 'get',
  path: '/app/v1/forms/:id/delivery-attempts',
  params: { id: formId },
  summary: 'List the attempts to deliver of a form',
  description:
    'Lists the attempts to deliver the events of a form, of first and later attempts alike, oldest first. An attempt may appear up to half a minute after one that started later, and ends later than it appears: to follow them, read from half a minute before `as_of` or from the oldest attempt in progress, whichever is earlier, and leave out what was read before. A page may have fewer attempts than `limit`, or none, and a `next_cursor` all the same: a request reads only so many, and the next one continues.',
  access: { scope: 'hooks:manage' },
  query: AttemptsQuery,
  status: 200,
  reply: AttemptList,
  errors: [400, 401, 403, 404],
  rpc: 'delivery.ListDeliveryAttempts',
});

const toWebhook = pathParam('id', 'The id of the webhook or the subscription.');

export const listWorkspaceWebhookDeliveries = operation({
  method: 'get',
  path: '/app/v1/workspaces/:id/webhooks/:webhookId/deliveries',
  params: { id: pathParam('workspace_id', "The workspace's id."), webhookId: toWebhook },
  summary: 'List the deliveries to a webhook of a workspace',
  description:
    'Lists the deliveries to a webhook of a workspace, on all forms, newest first. A page continues from `next_cursor`, and may have fewer deliveries than `limit`, or none, all the same. For owners and admins of the workspace.',
  // Service accounts are members of no workspace.
  access: 'person',
  query: WebhookDeliveriesQuery,
  status: 200,
  reply: WebhookDeliveryList,
  errors: [400, 401, 403, 404],
  // It asks the method of listInstanceWebhookDeliveries.
  composed: true,
});

export const listInstanceWebhookDeliveries = operation({
  method: 'get',
  path: '/app/v1/webhooks/:webhookId/deliveries',
  params: { webhookId: toWebhook },
  summary: 'List the deliveries to a webhook of the instance',
  description:
    'Lists the deliveries to a webhook of the instance, on all forms, newest first. A page continues from `next_cursor`, and may have fewer deliveries than `limit`, or none, all the same. For owners and admins of the instance.',
  access: { scope: 'hooks:manage' },
  onInstance: 'manage webhooks of this instance',
  query: WebhookDeliveriesQuery,
  status: 200,
  reply: WebhookDeliveryList,
  errors: [400, 401, 403, 404],
  rpc: 'delivery.ListWebhookDeliveries',
  composed: true,
  added: z.object({ workspace_id: described(z.string().optional(), 'Absent for a webhook of the instance.') }),
});
