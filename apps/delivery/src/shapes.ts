import { DeliveriesSearch, RedeliverRequest, WebhookHeaders, WebhookTestRequest } from '@sheaf/contracts';
import { cursorPageNumbers, id } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

export const findDeliveries = DeliveriesSearch.extend({ ...cursorPageNumbers, form_id: id() });
export const getWebhookHealth = z.object({ form_id: id().optional(), workspace_id: id().optional(), id: id().optional() });
export const countRedeliverable = RedeliverRequest.safeExtend({ form_id: id() });

/** A message carries an absent value as an empty one, which is no value of a header. */
type OpenHeaders = { headers: { name: string; value: string }[] };
export const sealHeaders = z
  .custom<OpenHeaders>()
  .pipe<z.ZodType<OpenHeaders, OpenHeaders>>(z.object({ headers: WebhookHeaders }) as z.ZodType<OpenHeaders, OpenHeaders>);

export const makeSecret = z.object({});

export const testWebhook = z.object({
  form_id: id().optional(),
  workspace_id: id().optional(),
  id: id(),
  event: WebhookTestRequest.shape.event,
  sample_form_id: WebhookTestRequest.shape.form_id,
});
