import type { Migration } from '@sheaf/postgres';

export const lifecycle: Migration = {
  name: '0003_lifecycle',
  up: (db) =>
    db.raw(`
      -- Spam is kept apart from the list until a person says that it is none.
      alter table submission add column spam_at timestamptz, add column spam_reason text;

      -- The list is what is neither in the trash nor spam. Replaced and not added to: each index more is paid by every submission.
      create index submission_in_list on submission (form_id, created_at desc, id desc) where deleted_at is null and spam_at is null;
      create index submission_in_list_by_status on submission (form_id, status, created_at desc, id desc) where deleted_at is null and spam_at is null;
      drop index submission_listed, submission_listed_by_status;
      create index submission_in_trash on submission (form_id, deleted_at desc, id desc) where deleted_at is not null;
      create index submission_in_spam on submission (form_id, spam_at desc, id desc) where spam_at is not null and deleted_at is null;

      -- How many submissions of a form are in the trash, and how many are spam outside of it.
      create table apart_count (
        form_id uuid not null,
        place text not null check (place in ('trash', 'spam')),
        submissions bigint not null,
        primary key (form_id, place)
      );
      insert into apart_count select form_id, 'trash', count(*) from submission where deleted_at is not null group by form_id;

      -- Keys are forgotten by age.
      create index idempotency_key_age on idempotency_key (created_at);

      -- Signs the tokens that tell how long somebody had a form before them. Here, and not one more secret to be configured: whoever
      -- knew it could pretend to type slowly, no more.
      create table start_token_secret (secret text not null);
      insert into start_token_secret select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
    `),
};
