import { buildIndex, type Migration } from '@sheaf/postgres';

/** Finds the entries of a form in the order of the list. */
export const auditLogOfForms: Migration = {
  name: '0017_audit_log_of_forms',
  transaction: 'none',
  up: (db) =>
    buildIndex(db, 'audit_entry_by_form', 'on audit_entry (scope_id, form_id, occurred_at desc, id desc) where form_id is not null'),
};
