import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';

export const wideSubscriptions: Migration = {
  name: '0014_wide_subscriptions',
  up: (db) =>
    db.raw(`
      alter table subscription
        -- Null for a webhook that listens to a workspace or to the whole instance.
        alter column form_id drop not null,
        add column payload text not null default 'contract',
        -- The origin of links in named payloads.
        add column link_origin text;

      ${lookForDue}
    `),
};
