import type { ErasureBegun, ErasureConfirmed, erasureKinds, erasureReasons, EventSource } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import { actorOf, type Actor } from './audited';
import { causedBy, type Cause, type DomainEvent } from './event';

/** An erasure, as the service that begins it knows it. */
export interface Erasure {
  id: string;
  kind: (typeof erasureKinds)[number];
  targetId: string;
  formId?: string | undefined;
  /** Absent for an erasure that concerns the whole instance. */
  workspaceId?: string | undefined;
  reason: (typeof erasureReasons)[number];
  /** Each confirms when it has erased everything that it had. */
  awaited: readonly EventSource[];
}

/** Makes the event with which `workspaces` begins to follow an erasure, to be recorded in the transaction that begins it. */
export function erasureBegun(
  { caller, call }: { caller: Actor; call: Cause },
  { id, kind, targetId, formId, workspaceId, reason, awaited }: Erasure,
  at: Date,
): DomainEvent {
  const { kind: actorKind, id: actorId } = actorOf(caller);
  const body: z.output<typeof ErasureBegun> = {
    erasure_id: id,
    kind,
    target_id: targetId,
    workspace_id: workspaceId,
    reason,
    requested_by: { kind: actorKind, ...(actorId === undefined ? {} : { id: actorId }) },
    awaited: [...awaited],
  };
  return {
    id: newId(),
    type: 'erasure.begun',
    instanceId: caller.instanceId,
    subject: id,
    ...(formId === undefined ? {} : { formId }),
    occurredAt: at,
    body: JSON.stringify(body),
    ...causedBy(call),
  };
}

/** Makes the event that confirms that a service has erased everything that it had; `counts` says how much. */
export function erasureConfirmed(
  { id, instanceId, formId }: { id: string; instanceId: string; formId?: string | undefined },
  { service, counts }: { service: EventSource; counts: Record<string, number> },
  at: Date,
): DomainEvent {
  const body: z.output<typeof ErasureConfirmed> = { erasure_id: id, service, counts };
  return {
    id: newId(),
    type: 'erasure.confirmed',
    instanceId,
    subject: id,
    ...(formId === undefined ? {} : { formId }),
    occurredAt: at,
    body: JSON.stringify(body),
  };
}
