import { auditCountedTo } from '@sheaf/contracts';
import { authorizeInAny, type User } from '@sheaf/kernel';
import { pageOfEntries, type AuditFilter, type SeenAuditRow } from './audit-log.queries';
import type { Deps } from '../deps';

/**
 * The audit log, the newest entries first: those of the workspaces that the caller owns or administers, and those of the whole instance,
 * because owners and admins of each workspace also manage the service accounts of the instance.
 */
export async function listAuditLog(
  { db }: Deps,
  caller: User,
  { limit, offset, ...filter }: AuditFilter & { limit: number; offset: number },
): Promise<{ rows: SeenAuditRow[]; total: number }> {
  authorizeInAny(caller, 'read the audit log');
  const managed = Object.entries(caller.roles).filter(([, role]) => role === 'owner' || role === 'admin');
  return pageOfEntries(db, [caller.instanceId, ...managed.map(([workspaceId]) => workspaceId)], filter, {
    limit,
    offset,
    countedTo: auditCountedTo,
  });
}
