import { buildIndex, type Migration } from '@sheaf/postgres';

/** Find everything of a person who is erased, also what is no longer active. */
export const erasedPeople: Migration = {
  name: '0006_erased_people',
  transaction: 'none',
  up: async (db) => {
    await buildIndex(db, 'subscription_of_person', 'on subscription (subscriber_id, id)');
    await buildIndex(db, 'subscription_renewed_by', 'on subscription (renewed_by_id, id) where renewed_by_id is not null');
    await buildIndex(db, 'known_grant_of_person', 'on known_grant (user_id, form_id)');
  },
};
