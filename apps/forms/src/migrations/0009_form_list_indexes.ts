import { buildIndex, type Migration } from '@sheaf/postgres';

const keys = { updated: 'updated_at', created: 'created_at', title: '(title_place(title) collate "C")' };
const scopes = { workspace: 'workspace_id', folder: 'workspace_id, folder_id', instance: 'instance_id' };

/** An index for each scope and order of the list, in which every status is a range of its own. */
export const formListIndexes: Migration = {
  name: '0009_form_list_indexes',
  transaction: 'none',
  up: async (db) => {
    for (const [scope, columns] of Object.entries(scopes))
      for (const [sort, key] of Object.entries(keys))
        await buildIndex(db, `form_list_of_${scope}_by_${sort}`, `on form (${columns}, status, ${key}, id)`);
    await buildIndex(db, 'form_title_in_workspace', 'on form using gin (workspace_id, folded(title) gin_trgm_ops)');
    await buildIndex(db, 'favorite_of_principal', 'on favorite (principal_id, form_id)');
  },
};
