import { AuditLog, AuditLogQuery } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { pageOf, type Services } from '../services';

export const auditLog = ({ workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/audit-log',
    summary: 'List the audit log',
    access: 'person',
    query: AuditLogQuery,
    status: 200,
    reply: AuditLog,
    errors: [400, 401, 403],
    handle: async ({ call, query: { action, ...query } }) => {
      const { entries, total } = await workspaces.listAuditLog(call, { ...query, actions: action ?? [] });
      return pageOf(
        entries.map(({ details, ...entry }) => ({ ...entry, details: details && RawJson.of(details) })),
        total,
        query,
      );
    },
  }),
];
