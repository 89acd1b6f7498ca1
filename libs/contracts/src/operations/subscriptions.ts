import { z } from 'zod';
import { described } from '../described';
import { hookEvents } from '../events';
import { oneOf, ownId, text } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { pathParam } from './params';

const formId = ["The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'] as const;
const event = ['The event. New values may be added.', 'submission.created'] as const;
const source = ['The platform that subscribed, or `application`.', 'zapier'] as const;

export const targetUrl = () =>
  described(
    text(1, 2_048),
    'The URL to deliver to. It must use https and have a public address. It must not be an origin (host and port) of this deployment, including those of its instances and custom domains.',
    'https://hooks.example.org/catch/1',
  );

/** `hooks` checks `source`, because it knows the two platforms that this deployment is configured for. */
export const HookSubscribeRequest = described(
  z.object({
    form_id: described(text(1, 64), ...formId),
    target_url: targetUrl(),
    event: described(oneOf(hookEvents), ...event),
    source: described(text(1, 64), ...source),
  }),
  'A subscription to one event of a form.',
);

export const HookSubscription = described(
  z.object({
    id: ownId(),
    form_id: described(z.string(), ...formId),
    event: described(z.string(), ...event),
    url: described(z.string(), 'The URL that deliveries go to.', 'https://hooks.example.org/catch/1'),
    active: described(z.boolean(), 'Whether deliveries are sent.', true),
    source: described(z.string(), ...source),
  }),
  'A subscription of a URL to one event of a form.',
);
carriedAs(HookSubscription, { message: 'Subscription' });

const path = '/api/v1/hooks';
const access = { scope: 'hooks:manage' } as const;

export const createHookSubscription = operation({
  method: 'post',
  path: `${path}/subscribe`,
  summary: 'Subscribe to an event of a form',
  description: 'Subscribes a URL to one event of a form. Subscribing again returns the existing subscription and reactivates it.',
  access,
  body: HookSubscribeRequest,
  status: 201,
  reply: HookSubscription,
  errors: [400, 401, 403, 404],
  rpc: 'hooks.Subscribe',
  // The address must be none of this deployment.
  composed: true,
});

export const deleteHookSubscription = operation({
  method: 'delete',
  path: `${path}/:id`,
  params: { id: pathParam('id', "The subscription's id.") },
  summary: 'Delete a subscription',
  description:
    'Ends a subscription. For the subscriber, and for owners and editors of the form. Webhooks created in the application cannot be deleted here.',
  access,
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'hooks.Unsubscribe',
});
