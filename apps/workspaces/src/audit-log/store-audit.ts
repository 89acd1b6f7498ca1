import { AuditRecorded } from '@sheaf/contracts';
import { bodyOf, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import { insertEntries, type AuditRow } from './audit-log.queries';
import type { Deps } from '../deps';

/** Stores the audit log entries that services have recorded. An event that arrives twice is stored once. */
export async function storeAudit({ db }: Pick<Deps, 'db'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  const entries = events.flatMap((event) => {
    const entry = read(event);
    // Skipped permanently: a retry would fail as well and delay all later events.
    if (!entry) log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
    return entry ?? [];
  });
  await insertEntries(db, entries);
}

function read(event: DomainEvent): AuditRow | undefined {
  const { id, type, instanceId, formId, occurredAt } = event;
  if (type !== 'audit.recorded') return undefined;
  const data = bodyOf(AuditRecorded, event);
  if (!data || ![id, instanceId, formId ?? id, data.workspace_id ?? id].every(isId)) return undefined;
  // The list looks up names by these ids.
  if (['user', 'service_account'].includes(data.actor.kind) && !isId(data.actor.id ?? '')) return undefined;
  return {
    id,
    instance_id: instanceId,
    workspace_id: data.workspace_id ?? null,
    action: data.action,
    actor_kind: data.actor.kind,
    actor_id: data.actor.id ?? null,
    via: data.actor.via ?? null,
    credential_id: data.actor.credential_id ?? null,
    target_kind: data.target.kind,
    target_id: data.target.id,
    form_id: formId ?? null,
    address: data.address ?? null,
    request_id: data.request_id,
    details: data.details ?? null,
    occurred_at: occurredAt,
  };
}
