import { z } from 'zod';
import { instant, listOf, oneOf, page, text } from '../shapes';

export const deliveryStates = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

export const Delivery = z.object({
  id: z.string(),
  event_id: z.string(),
  event: z.string(),
  form_id: z.string(),
  subscription_id: z.string(),
  url: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  attempt_count: z.int(),
  next_attempt_at: instant().optional(),
  created_at: instant(),
});

export const DeliveryList = listOf(Delivery);

export const DeliveryAttempt = z.object({
  number: z.int(),
  started_at: instant(),
  duration_ms: z.int().optional(),
  status: z.int().optional(),
  error: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

export const DeliveryDetail = Delivery.extend({
  body: z.string().optional(),
  attempts: z.array(DeliveryAttempt),
});

export const DeliveriesQuery = z.object({ ...page, state: oneOf(deliveryStates).optional(), subscription_id: text(0, 64).optional() });
