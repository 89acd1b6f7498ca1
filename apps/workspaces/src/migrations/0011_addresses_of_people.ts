import { buildIndex, type Migration } from '@sheaf/postgres';

/** Find what belongs to a person who is erased. Entries leave their indexes with their addresses. */
export const addressesOfPeople: Migration = {
  name: '0011_addresses_of_people',
  transaction: 'none',
  up: async (db) => {
    await buildIndex(
      db,
      'audit_entry_with_address',
      `on audit_entry (instance_id, actor_id) where address is not null and actor_kind = 'user'`,
    );
    await buildIndex(
      db,
      'audit_entry_failed_sign_in',
      `on audit_entry (instance_id, target_id) where address is not null and action = 'session.failed'`,
    );
    await buildIndex(db, 'sign_in_place_of_account', 'on sign_in_place (account) where account is not null');
  },
};
