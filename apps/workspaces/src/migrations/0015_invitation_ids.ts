import type { Migration } from '@sheaf/postgres';

/** Names an invitation without its token. The default serves processes of the version before. */
export const invitationIds: Migration = {
  name: '0015_invitation_ids',
  up: (db) => db.raw('alter table invitation add column id uuid not null default gen_random_uuid() constraint invitation_id_key unique'),
};
