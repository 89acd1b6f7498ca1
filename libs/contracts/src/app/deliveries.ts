import { z } from 'zod';
import { hookEvents } from '../events';
import { cursor, cursorPage, instant, listOf, offsetInstant, oneOf, page, text } from '../shapes';

/** `skipped`: of an event from while its webhook was switched off. */
export const finishedDeliveryStates = ['succeeded', 'failed', 'cancelled', 'skipped'] as const;
export const deliveryStates = ['pending', ...finishedDeliveryStates] as const;

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

/**
 * A page by offset has the exact `total`. One by event, submission, time or cursor has `next_cursor`, and `total_at_least`, because counting would read all
 * deliveries.
 */
export const DeliveryList = listOf(Delivery).extend({
  total: z.int().optional(),
  total_at_least: z.int().optional(),
  next_cursor: z.string().nullable().optional(),
});

/** Why an attempt failed: `status` is an answer other than 2xx, `interrupted` an outcome that was lost, and all others mean that no answer arrived. */
export const attemptErrors = [
  'status',
  'timeout',
  'connection_refused',
  'reset',
  'unreachable',
  'dns',
  'tls',
  'protocol',
  'url_not_allowed',
  'address_not_allowed',
  'origin_not_allowed',
  'interrupted',
  'unknown',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** What a subscriber answered, unless it was a 2xx. */
export const SubscriberResponse = z.object({
  content_type: z.string().optional(),
  body: z.string(),
  truncated: z.boolean(),
  location: z.string().optional(),
});

export const DeliveryAttempt = z.object({
  number: z.int(),
  started_at: instant(),
  duration_ms: z.int().optional(),
  status: z.int().optional(),
  error: z.enum(attemptErrors).optional(),
  code: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  response: SubscriberResponse.optional(),
});

export const DeliveryDetail = Delivery.extend({
  body: z.string().optional(),
  attempts: z.array(DeliveryAttempt),
});

const filters = { state: oneOf(deliveryStates).optional(), subscription_id: text(0, 64).optional() };

/** The deliveries planned at or after `from` and before `to`. Those of a change of several submissions at once have no `submission_id`. */
const moreFilters = {
  submission_id: text(0, 64).optional(),
  event: oneOf(hookEvents).optional(),
  from: offsetInstant().optional(),
  to: offsetInstant().optional(),
  cursor: cursor(),
};

export const DeliveriesPageQuery = z.object({ ...page, ...filters });
export const DeliveriesSearch = z.object({ limit: page.limit, ...filters, ...moreFilters });

/** A page by offset, or by cursor: with both, nothing would be certain about the place. */
export const DeliveriesQuery = DeliveriesPageQuery.extend(moreFilters);

/** The deliveries to one webhook of a workspace or the instance, on all forms. */
export const WebhookDeliveriesQuery = z.object({ ...cursorPage, state: filters.state });
export const WebhookDeliveryList = z.object({ data: z.array(Delivery), next_cursor: z.string().nullable() });
