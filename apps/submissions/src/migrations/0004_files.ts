import type { Migration } from '@sheaf/postgres';

export const files: Migration = {
  name: '0004_files',
  up: (db) =>
    db.raw(`
      -- Files that respondents uploaded. A row is there before the first byte of its file is stored and until after the last one is
      -- removed, so that no process that dies leaves bytes which nobody knows of.
      create table file (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        field_key text not null,
        -- uploading: bytes may be there or not. stored: all are there, and a submission may claim it. claimed: belongs to one.
        -- removing: nobody gets it any more, and its bytes may be there or not.
        state text not null check (state in ('uploading', 'stored', 'claimed', 'removing')),
        name text not null,
        content_type text,
        size bigint,
        -- Who uploaded it, kept only while it is unclaimed.
        address inet,
        created_at timestamptz not null,
        -- Claimed before the submission is inserted, in the same transaction.
        submission_id uuid references submission deferrable initially deferred,
        check ((state = 'claimed') = (submission_id is not null)),
        check (state not in ('stored', 'claimed') or (content_type is not null and size is not null))
      );
      create index file_unclaimed on file (state, created_at) where state <> 'claimed';
      create index file_unclaimed_by_address on file (address) where state <> 'claimed';
      create index file_by_submission on file (submission_id) where submission_id is not null;
    `),
};
