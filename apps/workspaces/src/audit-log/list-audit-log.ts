import { auditCountedTo } from '@sheaf/contracts';
import { authorizeInAny, type User } from '@sheaf/kernel';
import { pageOfEntries, type AuditFilter, type SeenAuditRow } from './audit-log.queries';
import type { Deps } from '../deps';
import { readableScopes } from './readable-scopes';

/** The audit log, the newest entries first. */
export async function listAuditLog(
  deps: Deps,
  caller: User,
  { limit, offset, ...filter }: AuditFilter & { limit: number; offset: number },
): Promise<{ rows: SeenAuditRow[]; total: number }> {
  authorizeInAny(caller, 'read the audit log');
  return pageOfEntries(deps.db, await readableScopes(deps, caller), filter, {
    limit,
    offset,
    countedTo: auditCountedTo,
  });
}
