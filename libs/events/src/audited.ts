import { isIP } from 'node:net';
import type { AuditAction, AuditDetails, AuditRecorded, auditTargets } from '@sheaf/contracts';
import { newId, type Respondent, type Service, type ServiceAccount, type User } from '@sheaf/kernel';
import type { z } from 'zod';
import { causedBy, type DomainEvent } from './event';

/** The author of an audited action: a caller, or a service together with the instance that it acts in. */
export type Actor =
  | Pick<User, 'kind' | 'id' | 'instanceId' | 'via' | 'credentialId'>
  | Pick<ServiceAccount, 'kind' | 'id' | 'instanceId' | 'credentialId'>
  | Respondent
  | (Service & { instanceId: string });

/** An action and its target, for the audit log. */
export interface Deed {
  action: AuditAction;
  target: { kind: (typeof auditTargets)[number]; id: string };
  /** Owners and admins of this workspace may read the entry; if absent, those of every workspace in the instance may. */
  workspaceId?: string | undefined;
  formId?: string | undefined;
  details?: AuditDetails;
}

/**
 * Makes an audit log entry, to be recorded in the transaction of the change: `record(trx, formChanged(…), audited(asked, …, now))`.
 * `workspaces` stores it later; the request does not wait for that.
 */
export function audited(
  { caller, call }: { caller: Actor; call: { requestId: string; address?: string | undefined; trace?: string | undefined } },
  deed: Deed,
  at: Date,
): DomainEvent {
  const { action, target, workspaceId, formId, details } = deed;
  const body: z.output<typeof AuditRecorded> = {
    action,
    actor: actorOf(caller),
    target,
    workspace_id: workspaceId,
    // Even a trusted proxy may pass on a text that is not an address.
    address: call.address !== undefined && isIP(call.address) !== 0 ? call.address : undefined,
    request_id: call.requestId,
    details,
  };
  return {
    id: newId(),
    type: 'audit.recorded',
    instanceId: caller.instanceId,
    subject: target.id,
    ...(formId === undefined ? {} : { formId }),
    occurredAt: at,
    body: JSON.stringify(body),
    ...causedBy(call),
  };
}

export function actorOf(caller: Actor): z.output<typeof AuditRecorded>['actor'] {
  switch (caller.kind) {
    case 'user':
      return { kind: 'user', id: caller.id, via: caller.via, credential_id: caller.credentialId };
    case 'service_account':
      return { kind: 'service_account', id: caller.id, via: 'api_key', credential_id: caller.credentialId };
    case 'service':
      return { kind: 'service', id: caller.id };
    case 'respondent':
      return { kind: 'anonymous' };
  }
}
