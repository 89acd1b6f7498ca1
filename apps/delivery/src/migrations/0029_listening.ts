import type { Migration } from '@sheaf/postgres';

/** Programs of developers that hear the events of a form for as long as they ask, and what waits for them. */
export const listening: Migration = {
  name: '0029_listening',
  up: (db) =>
    db.raw(`
      create table listener (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- Whoever began it, and nobody else, receives its events.
        holder text not null,
        events text[] not null,
        -- It is gone if it has not asked by then.
        until timestamptz not null,
        -- Events that found too many waiting.
        missed integer not null default 0
      );
      create index listener_of_form on listener (form_id);

      create table heard (
        listener_id uuid not null references listener on delete cascade,
        event_id uuid not null,
        -- The id under which the event is sent.
        id uuid not null default gen_random_uuid(),
        place bigint generated always as identity,
        form_id uuid not null,
        submission_id uuid,
        type text not null,
        occurred_at timestamptz not null,
        body text not null,
        traceparent text,
        primary key (listener_id, event_id)
      );
      create index heard_by_form on heard (form_id);
    `),
};
