import { DeliveriesQuery, RedeliverRequest } from '@sheaf/contracts';
import { id, nothing, pageNumbers } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

export const listDeliveries = DeliveriesQuery.extend({ ...pageNumbers, form_id: id() });
export const getDelivery = z.object({ form_id: id(), id: id() });
export const redeliver = z.object({ form_id: id(), id: id() });
export const redeliverMany = RedeliverRequest.safeExtend({ form_id: id() });

export const listWebhookKeys = nothing;
export const rotateWebhookKeys = nothing;
