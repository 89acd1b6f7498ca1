import type { SubmissionWords } from './submission-words';

export const inGerman: SubmissionWords = {
  columns: {
    submission_id: 'Einsendung',
    schema_version: 'Version',
    status: 'Status',
    created_at: 'Eingegangen',
    reference: 'Referenz',
    updated_at: 'Geändert',
    assignee: 'Zuständig',
    notes: 'Anzahl der Notizen',
    language: 'Sprache',
    entered_by: 'Eingetragen von',
  },
  statuses: {
    new: 'Neu',
    in_review: 'In Prüfung',
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    archived: 'Archiviert',
    pending_payment: 'Wartet auf Zahlung',
  },
  yes: 'Ja',
  no: 'Nein',
};
