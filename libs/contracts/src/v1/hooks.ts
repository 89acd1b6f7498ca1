import { z } from 'zod';
import { hookEvents } from '../events';
import { oneOf, text } from '../shapes';

/** `hooks` checks `source`, because it knows the two platforms that this deployment is configured for. */
export const HookSubscribeRequest = z.object({
  form_id: text(1, 64),
  target_url: text(1, 2_048),
  event: oneOf(hookEvents),
  source: text(1, 64),
});

export const HookSubscription = z.object({
  id: z.string(),
  form_id: z.string(),
  event: z.string(),
  url: z.string(),
  active: z.boolean(),
  source: z.string(),
});
