import { hookEvents, HookSubscribeRequest, oneOf, WebhookRequest, WebhookUpdateRequest } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import { cursorPageNumbers, id } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

export const subscribe = HookSubscribeRequest;
export const unsubscribe = z.object({ id: id() });

/** The form or the workspace; neither for the whole instance. */
const scope = { form_id: id().optional(), workspace_id: id().optional() };
const webhook = z.object({ ...scope, id: id() });
const linkOrigin = { link_origin: z.url().max(300).optional() };

/** A message carries an absent list as an empty one. */
const withEvents = <O, I extends { events?: string[] | undefined }>(shape: z.ZodType<O, I>) =>
  z
    .custom<Omit<I, 'events'> & { events: string[] }>()
    .transform(({ events, ...rest }): unknown => (events.length === 0 ? rest : { ...rest, events }))
    .pipe<z.ZodType<O>>(shape);

export const listWebhooks = z.object(scope);
export const getWebhook = webhook;
export const getWebhookTarget = webhook;
export const createWebhook = withEvents(WebhookRequest.safeExtend({ ...scope, ...linkOrigin }));
export const updateWebhook = withEvents(WebhookUpdateRequest.safeExtend({ ...scope, ...linkOrigin, id: id() }));
export const deleteWebhook = webhook;
export const listOwnHooks = z.object(cursorPageNumbers);

/** Only services send these ids, so a malformed one is a bug. */
const serviceId = () => id().refine(isId, 'must be an id');

export const listListeners = z.object({
  topics: z.array(z.object({ instance_id: serviceId(), form_id: serviceId(), event: oneOf(hookEvents) })),
  places: z.array(z.object({ form_id: serviceId(), workspace_id: serviceId() })),
});
