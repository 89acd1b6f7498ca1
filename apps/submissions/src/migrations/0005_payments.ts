import type { Migration } from '@sheaf/postgres';

export const payments: Migration = {
  name: '0005_payments',
  up: (db) =>
    db.raw(`
      -- What a respondent owes for one submission. Its id is the idempotency key at the provider, so that a checkout which was made
      -- and not written down here is found again instead of made twice.
      create table payment (
        id uuid primary key,
        submission_id uuid not null unique references submission,
        form_id uuid not null,
        -- In the smallest unit of the currency.
        amount integer not null check (amount > 0),
        currency text not null,
        -- The form's title when it was submitted: the same key at the provider wants the same words.
        description text not null,
        state text not null check (state in ('requires_checkout', 'open', 'processing', 'paid', 'failed', 'expired')),
        session_id text,
        url text,
        -- What the provider calls the money itself.
        reference text,
        created_at timestamptz not null,
        paid_at timestamptz,
        check ((state = 'paid') = (paid_at is not null)),
        check ((session_id is null) = (url is null))
      );
      -- Whether it counts towards the limit of its form; the place of what was never paid is given back.
      alter table submission add column holds_place boolean not null default true;
      create index payment_without_checkout on payment (created_at) where state = 'requires_checkout';
    `),
};
