import type { Migration } from '@sheaf/postgres';

export const noteRevisions: Migration = {
  name: '0028_note_revisions',
  up: (db) =>
    db.raw(`
      -- The texts that a note had before, which the text of today is to be read with.
      create table note_revision (
        submission_id uuid not null,
        note_id uuid not null,
        -- 0 for the text as it was written first.
        number integer not null,
        text text not null,
        written_at timestamptz not null,
        primary key (submission_id, note_id, number),
        -- An earlier version of the service deletes notes without knowing of their revisions.
        foreign key (submission_id, note_id) references note (submission_id, id) on delete cascade
      );

      -- By a trigger, so that an earlier version of the service that changes a note cannot forget it. Whoever changes a note has locked its
      -- submission, so no two take the same number.
      create function keep_note_text() returns trigger language plpgsql as $body$
      begin
        insert into note_revision (submission_id, note_id, number, text, written_at)
        select old.submission_id, old.id, count(*), old.text, coalesce(old.edited_at, old.created_at)
          from note_revision where submission_id = old.submission_id and note_id = old.id;
        return null;
      end
      $body$;
      create trigger note_text_is_kept after update of text on note
        for each row when (old.text is distinct from new.text) execute function keep_note_text();
    `),
};
