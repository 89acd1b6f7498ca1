export const AuditLogPage = () => <p>AuditLogPage</p>;
