import { ErasureBegun, ErasureConfirmed } from '@sheaf/contracts';
import { bodyOf, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { insertConfirmations, insertErasures, type Confirmation, type NewErasure } from './erasures.queries';

/** Stores erasures that have begun, and the services that have completed them. An event that arrives twice is stored once. */
export async function storeErasures({ db }: Pick<Deps, 'db'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  const begun: NewErasure[] = [];
  const confirmed: Confirmation[] = [];
  for (const event of events) {
    const erasure = event.type === 'erasure.begun' ? readBegun(event) : undefined;
    const confirmation = event.type === 'erasure.confirmed' ? readConfirmed(event) : undefined;
    if (erasure) begun.push(erasure);
    else if (confirmation) confirmed.push(confirmation);
    // Skipped permanently: a retry would fail as well and delay all later events.
    else log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
  }
  await insertErasures(db, begun);
  await insertConfirmations(db, confirmed);
}

function readBegun(event: DomainEvent): NewErasure | undefined {
  const { instanceId, formId, occurredAt } = event;
  const data = bodyOf(ErasureBegun, event);
  if (!data || ![data.erasure_id, instanceId, formId ?? instanceId, data.workspace_id ?? instanceId].every(isId)) return undefined;
  return {
    id: data.erasure_id,
    instance_id: instanceId,
    workspace_id: data.workspace_id ?? null,
    kind: data.kind,
    target_id: data.target_id,
    form_id: formId ?? null,
    reason: data.reason,
    requested_by_kind: data.requested_by.kind,
    requested_by_id: data.requested_by.id ?? null,
    requested_at: occurredAt,
    awaited: data.awaited,
  };
}

function readConfirmed(event: DomainEvent): Confirmation | undefined {
  const data = bodyOf(ErasureConfirmed, event);
  if (!data || !isId(data.erasure_id)) return undefined;
  return { erasure_id: data.erasure_id, service: data.service, confirmed_at: event.occurredAt, counts: data.counts };
}
