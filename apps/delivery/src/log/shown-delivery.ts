import type { DeliveryRow } from './deliveries.queries';

/** The parts of a delivery that readers of the log and operators see. */
export const shownDelivery = ({
  id,
  event_id,
  event,
  form_id,
  subscription_id,
  url,
  state,
  reason,
  attempts,
  next_attempt_at,
  created_at,
  request_id,
}: DeliveryRow) => ({
  id,
  event_id,
  event,
  form_id,
  subscription_id,
  url,
  state,
  reason,
  attempt_count: attempts,
  next_attempt_at,
  created_at,
  request_id,
});
