import { z } from 'zod';
import { StoredFilter } from './webhook-filter';

/** A header of a webhook whose value only `delivery` can read. */
export const SealedHeader = z.strictObject({ name: z.string(), sealed: z.string() });

/** A secret with which deliveries are signed; `retires_at` once another one has replaced it. */
const SealedSecret = z.strictObject({ sealed: z.string(), retires_at: z.iso.datetime().optional() });

/**
 * The options of a webhook of the application beyond an address, events and a payload, as `hooks` stores it and tells `delivery`. Strict: a process that
 * does not know one of the options must not send as if it was not there.
 */
export const WebhookOptions = z.strictObject({
  headers: z.array(SealedHeader).optional(),
  /** The latest first. */
  secrets: z.array(SealedSecret).optional(),
  filter: StoredFilter.optional(),
  /** The keys of the fields whose answers it receives; absent for all. */
  fields: z.array(z.string()).optional(),
  /** Absent for events that are sent singly. */
  batch: z.strictObject({ max_events: z.int(), max_seconds: z.int() }).optional(),
});
export type WebhookOptions = z.output<typeof WebhookOptions>;

/** The options in JSON; null for none. @throws if this version does not know all of them. */
export function readWebhookOptions(json: string): WebhookOptions | null {
  return json === '' ? null : WebhookOptions.parse(JSON.parse(json));
}
