import { auditCountedTo } from '@sheaf/contracts';
import { isId, type User } from '@sheaf/kernel';
import { pageOfEntries, type AuditFilter, type SeenAuditRow } from './audit-log.queries';
import type { Deps } from '../deps';
import { authorizeReading, readableScopes } from './readable-scopes';

/** The audit log, the newest entries first. A workspace or a form that the caller may not read about has no entries. */
export async function listAuditLog(
  deps: Deps,
  caller: User,
  { limit, offset, workspaceId, ...filter }: AuditFilter & { workspaceId: string | undefined; limit: number; offset: number },
): Promise<{ rows: SeenAuditRow[]; total: number }> {
  authorizeReading(caller);
  if (filter.formId !== undefined && !isId(filter.formId)) return { rows: [], total: 0 };
  const scopes = await readableScopes(deps, caller);
  const wanted = scopes.filter((id) => workspaceId === undefined || (id === workspaceId && id !== caller.instanceId));
  return pageOfEntries(deps.db, wanted, filter, { limit, offset, countedTo: auditCountedTo });
}
