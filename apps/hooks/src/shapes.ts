import { hookEvents, HookSubscribeRequest, oneOf, WebhookRequest, WebhookUpdateRequest } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import { id } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

export const subscribe = HookSubscribeRequest;
export const unsubscribe = z.object({ id: id() });

export const listWebhooks = z.object({ form_id: id() });
export const createWebhook = WebhookRequest.extend({ form_id: id() });
export const updateWebhook = WebhookUpdateRequest.extend({ form_id: id(), id: id() });
export const deleteWebhook = z.object({ form_id: id(), id: id() });

/** Only services send these ids, so a malformed one is a bug. */
const serviceId = () => id().refine(isId, 'must be an id');

export const listListeners = z.object({
  topics: z.array(z.object({ instance_id: serviceId(), form_id: serviceId(), event: oneOf(hookEvents) })),
});
