import type { AccessChanged } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';

/** A signal: every process drops its cached access of these people, accounts or credentials. */
export function accessChanged(instanceId: string, affected: { principalIds?: string[]; credentialIds?: string[] }, at: Date): DomainEvent {
  const body: z.output<typeof AccessChanged> = { principal_ids: affected.principalIds ?? [], credential_ids: affected.credentialIds ?? [] };
  return { id: newId(), type: 'access.changed', instanceId, subject: instanceId, occurredAt: at, body: JSON.stringify(body) };
}
