import { isIP } from 'node:net';
import type { AuditAction, AuditDetails, AuditRecorded, auditTargets } from '@sheaf/contracts';
import { newId, type Respondent, type Service, type ServiceAccount, type User } from '@sheaf/kernel';
import type { z } from 'zod';
import type { DomainEvent } from './event';

/** Whoever does something. A caller is one; a process of ours says for which instance. */
export type Actor =
  | Pick<User, 'kind' | 'id' | 'instanceId' | 'via' | 'credentialId'>
  | Pick<ServiceAccount, 'kind' | 'id' | 'instanceId' | 'credentialId'>
  | Respondent
  | (Service & { instanceId: string });

/** What was done to what. */
export interface Deed {
  action: AuditAction;
  target: { kind: (typeof auditTargets)[number]; id: string };
  /** Whose owners and admins read of it; without one those of every workspace of the instance do. */
  workspaceId?: string | undefined;
  formId?: string | undefined;
  details?: AuditDetails;
}

/**
 * An entry of the audit log, to be recorded in the transaction that it is about: `record(trx, formChanged(…), audited(asked, …, now))`.
 * `workspaces` keeps it. Nobody waits for that.
 */
export function audited({ caller, call }: { caller: Actor; call: { requestId: string; address?: string | undefined; trace?: string | undefined } }, deed: Deed, at: Date): DomainEvent {
  const { action, target, workspaceId, formId, details } = deed;
  const body: z.output<typeof AuditRecorded> = {
    action,
    actor: actorOf(caller),
    target,
    workspace_id: workspaceId,
    // A proxy that is trusted may still hand on what is no address at all.
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
    trace: call.trace,
  };
}

function actorOf(caller: Actor): z.output<typeof AuditRecorded>['actor'] {
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
