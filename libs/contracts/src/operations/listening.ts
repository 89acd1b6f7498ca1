import { z } from 'zod';
import { WebhookFields } from '../app/webhook-filter';
import { described, leftOut } from '../described';
import { oneOf, text } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, pathParam } from './params';
import { payloads, severalEvents } from './webhooks';

/** How many events one answer has at most. */
export const eventsAtOnce = 50;

export const ListeningRequest = described(
  z.object({
    events: described(severalEvents(), 'The events to listen to.', ['submission.created']),
    payload: described(oneOf(payloads).optional(), 'The bodies, as of a webhook.', 'contract'),
    fields: described(
      WebhookFields.optional(),
      'The keys of the fields whose answers the bodies have. Absent: all of them; an empty list: none.',
      leftOut,
    ),
    received: described(
      z.array(text(1, 64), 'must be an array').max(eventsAtOnce, `must have at most ${eventsAtOnce} ids`).default([]),
      'The ids of the previous answer, once you have its events: they do not come again.',
      [],
    ),
  }),
  'The events to listen to, and those that have arrived.',
);
// In a message, an empty list and none are the same.
carriedAs(ListeningRequest, { json: ['fields'] });

export const SentHeader = described(
  z.object({
    name: described(z.string(), 'The name.', 'webhook-timestamp'),
    value: described(z.string(), 'The value.', '1764000000'),
  }),
  'A header of a webhook request.',
);

export const ReceivedEvent = described(
  z.object({
    id: described(z.string(), 'The id, the same as in the header `webhook-id`.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    event: described(z.string(), 'The event. New values may be added.', 'submission.created'),
    headers: described(
      z.array(SentHeader),
      'The headers of the request that a webhook would send now, with the signature by the key of the instance.',
    ),
    body: described(z.string(), 'The exact text of its body.', '{"event":"submission.deleted","form_id":"…","submission_id":"…"}'),
  }),
  'An event, as a webhook would send it.',
);

export const ReceivedEvents = described(
  z.object({
    data: described(z.array(ReceivedEvent), 'The events that have not been received yet, in the order in which they became known.'),
    has_more: described(z.boolean(), 'Whether more are there already.', false),
    went_on: described(z.boolean(), 'Whether the listener was there before. Without, it hears from now on.', true),
    missed: described(
      z.int(),
      'How many events the listener has missed since it began, because too many waited: at most 1,000 wait, of 16 MB together.',
      0,
    ),
  }),
  'The events since the last answer.',
);

const ofListener = {
  path: '/app/v1/forms/:id/webhook-listeners/:listenerId',
  params: {
    id: formId,
    listenerId: pathParam('listener_id', 'The id of the listener: a UUID that you have made for it.', {
      sample: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09',
    }),
  },
  access: { scope: 'hooks:manage' },
} as const;

export const receiveFormEvents = operation({
  ...ofListener,
  method: 'post',
  summary: 'Receive the events of a form without a webhook',
  description:
    'For development: returns the events of a form as a webhook would send them, signed and complete, to a program that Sheaf cannot reach. The first request begins a listener, which hears what happens from its answer on. Ask again every second or so; a listener that has not asked for a minute is gone, with all that waited for it. An event comes again until `received` has its id. A form has at most 5 listeners at a time, an instance 100. A service account needs `submissions:read` as well for `submission.created`, whose bodies carry answers. For owners and editors of the form.',
  body: ListeningRequest,
  status: 200,
  reply: ReceivedEvents,
  errors: [400, 401, 403, 404, 409],
  rpc: 'delivery.ReceiveFormEvents',
  repeatable: true,
  // Links to files need the address by which the caller reaches Sheaf.
  composed: true,
  added: z.object({ link_origin: described(text(1, 2_000).optional(), 'The origin of links to files; absent without them.') }),
});

export const endFormListener = operation({
  ...ofListener,
  method: 'delete',
  summary: 'Stop receiving the events of a form',
  description:
    'Ends a listener of the caller, with all that waits for it, so that another one may begin at once. Nothing happens if it has ended already. For owners and editors of the form.',
  status: 204,
  errors: [401, 403, 404],
  rpc: 'delivery.EndFormListener',
});
