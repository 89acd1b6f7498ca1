import { payloadOf, retryOf, SubscriptionChanged } from '@sheaf/contracts';
import { bodyOf, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { endSubscriptions } from './endings.queries';
import { inactiveAmong, upsertCopies, type SubscriptionRow } from './subscriptions.queries';
import { toldOptions } from './told-options';
import { forgetFailures } from './turns.queries';

/** Keeps our copies of subscriptions up to date, and cancels the pending deliveries of those that end. */
export async function followSubscriptions(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  events: readonly DomainEvent[],
): Promise<void> {
  const changed = events.flatMap((event) => {
    const row = toSubscriptionRow(event);
    if (!row) log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
    return row ?? [];
  });
  await db.transaction(async (trx) => {
    await upsertCopies(trx, changed);
    const ids = changed.map(({ id }) => id);
    await forgetFailures(trx, ids);
    await endSubscriptions(trx, clock, await inactiveAmong(trx, ids), 'ended');
  });
}

function toSubscriptionRow(event: DomainEvent): SubscriptionRow | undefined {
  const { instanceId } = event;
  const data = bodyOf(SubscriptionChanged, event);
  if (!data || ![data.id, data.form_id, instanceId].every(isId)) return undefined;
  const { options, isKnown } = toldOptions(data.options);
  const state = isKnown ? (data.state_with_options ?? data.state) : data.state;
  const { id, form_id, wide = false, url, revision, payload, link_origin = null, events = null, retry } = data;
  return {
    id,
    instance_id: instanceId,
    form_id: wide ? null : form_id,
    url,
    state,
    options,
    revision,
    payload: payloadOf(payload),
    link_origin,
    events,
    retry: retryOf(retry),
  };
}
