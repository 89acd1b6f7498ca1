import type { Migration } from '@sheaf/postgres';

export const formSettings: Migration = {
  name: '0007_form_settings',
  up: (db) =>
    db.raw(`
      -- The settings that v1 does not know. Apart from the form, which is locked and listed far more often and is small. A form without
      -- a row has none.
      create table form_settings (
        form_id uuid primary key references form,
        -- JSON, with the hash of the logo in its place.
        settings text not null,
        logo_type text,
        logo bytea,
        check ((logo is null) = (logo_type is null))
      );
    `),
};
