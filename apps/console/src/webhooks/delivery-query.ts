import type { DeliveryReason, DeliveryState, WebhookEvent, ListDeliveriesData } from '@sheaf/client';

/** The filters of the log, as the address has them. */
export interface DeliveryFilter {
  webhook?: string | undefined;
  /** A state of deliveries, or `held_back`. */
  state?: string | undefined;
  event?: string | undefined;
  /** A status (`503`), a class (`5xx`), or `none`. */
  answer?: string | undefined;
  /** The id of a submission, as somebody pasted it. */
  submission?: string | undefined;
  /** Instants, so that an address means the same in another time zone. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The state of those that a restore from a backup has left: they failed, for this reason. */
export const heldBack = 'held_back';
const restored: DeliveryReason = 'restored';

export const isFiltered = ({ webhook, state, event, answer, submission, from, to }: DeliveryFilter): boolean =>
  [webhook, state, event, answer, submission, from, to].some((value) => value !== undefined);

/** The question for the server. A value in the address that does not exist is the server's to refuse, by its name. */
export function queryOf({ webhook, state, event, answer, submission, from, to }: DeliveryFilter): NonNullable<ListDeliveriesData['query']> {
  return {
    ...(webhook === undefined ? {} : { subscription_id: webhook }),
    ...(state === undefined ? {} : state === heldBack ? { reason: restored } : { state: state as DeliveryState }),
    ...(event === undefined ? {} : { event: event as WebhookEvent }),
    ...(answer === undefined ? {} : { answer }),
    ...(submission === undefined ? {} : { submission_id: submission }),
    // A list with a time continues from a cursor. Without one it has pages by offset, which shift while deliveries are added.
    from: from ?? '1970-01-01T00:00:00Z',
    ...(to === undefined ? {} : { to }),
  };
}
