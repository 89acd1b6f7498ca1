import { buildIndex, type Migration } from '@sheaf/postgres';

/** Finds the files whose time is over. Only files that a submission has enter it, so uploading one costs nothing more. */
export const filesOfForms: Migration = {
  name: '0021_files_of_forms',
  transaction: 'none',
  up: (db) => buildIndex(db, 'file_of_form', `on file (form_id, created_at) where state = 'claimed'`),
};
