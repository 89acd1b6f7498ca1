import { DeliveriesPageQuery, DeliveriesSearch, RedeliverRequest, WebhookTestRequest } from '@sheaf/contracts';
import { cursorPageNumbers, id, pageNumbers } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

export const listDeliveries = DeliveriesPageQuery.extend({ ...pageNumbers, form_id: id() });
export const findDeliveries = DeliveriesSearch.extend({ ...cursorPageNumbers, form_id: id() });
export const getWebhookHealth = z.object({ form_id: id().optional(), workspace_id: id().optional(), id: id().optional() });
export const redeliverMany = RedeliverRequest.safeExtend({ form_id: id() });
export const countRedeliverable = redeliverMany;

export const testWebhook = z.object({
  form_id: id().optional(),
  workspace_id: id().optional(),
  id: id(),
  event: WebhookTestRequest.shape.event,
  sample_form_id: WebhookTestRequest.shape.form_id,
});
