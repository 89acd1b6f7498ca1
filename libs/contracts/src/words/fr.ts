import type { SubmissionWords } from './submission-words';

export const inFrench: SubmissionWords = {
  columns: {
    submission_id: 'Envoi',
    schema_version: 'Version',
    status: 'Statut',
    created_at: 'Reçu',
    reference: 'Référence',
    updated_at: 'Modifié',
    assignee: 'Attribué à',
    notes: 'Nombre de notes',
    language: 'Langue',
    entered_by: 'Saisi par',
  },
  statuses: {
    new: 'À traiter',
    in_review: 'En examen',
    approved: 'Approuvé',
    rejected: 'Rejeté',
    archived: 'Archivé',
    pending_payment: 'Paiement attendu',
  },
  yes: 'Oui',
  no: 'Non',
};
