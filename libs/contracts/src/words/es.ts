import type { SubmissionWords } from './submission-words';

export const inSpanish: SubmissionWords = {
  columns: {
    submission_id: 'Envío',
    schema_version: 'Versión',
    status: 'Estado',
    created_at: 'Recibido',
    reference: 'Referencia',
    updated_at: 'Modificado',
    assignee: 'Asignado a',
    notes: 'Número de notas',
    language: 'Idioma',
    entered_by: 'Introducido por',
  },
  statuses: {
    new: 'Sin atender',
    in_review: 'En revisión',
    approved: 'Aprobado',
    rejected: 'Rechazado',
    archived: 'Archivado',
    pending_payment: 'Pendiente de pago',
  },
  yes: 'Sí',
  no: 'No',
};
