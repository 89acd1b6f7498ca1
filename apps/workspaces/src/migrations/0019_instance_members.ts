import type { Migration } from '@sheaf/postgres';

export const instanceMembers: Migration = {
  name: '0019_instance_members',
  up: (db) =>
    db.raw(`
      -- The people who run an instance. A row goes with its person, also where an earlier version erases them.
      create table instance_member (
        instance_id uuid not null references instance,
        person_id uuid not null,
        role text not null check (role in ('owner', 'admin')),
        created_at timestamptz not null,
        primary key (instance_id, person_id),
        foreign key (instance_id, person_id) references person (instance_id, id) on delete cascade
      );

      -- Until now, the owners and admins of any workspace ran the instance. From now on, the owners of its oldest workspace do: those who can
      -- sign in, so that nobody else decides who accepts the invitation of one; all of them if no one can, because the operator invited them.
      insert into instance_member (instance_id, person_id, role, created_at)
      select instance_id, person_id, 'owner', now()
        from (select m.instance_id, m.person_id, can_sign_in,
                     bool_or(can_sign_in) over (partition by m.instance_id) as some_can
                from (select distinct on (instance_id) id from workspace order by instance_id, created_at, id) as oldest
                join member m on m.workspace_id = oldest.id and m.role = 'owner'
                join person p on p.instance_id = m.instance_id and p.id = m.person_id
               cross join lateral (select p.password_hash is not null or p.first_signed_in_at is not null as can_sign_in) as state) as candidate
       where can_sign_in or not some_can;

      -- People whose roles the other services must be told again. They made webhooks of the instance by right of a role in a workspace. During the
      -- deployment, a process of the version before may get the event, which knows no roles of the instance; so they are told three times.
      create table standing_to_tell (
        instance_id uuid not null,
        person_id uuid not null,
        due_at timestamptz not null,
        primary key (instance_id, person_id, due_at)
      );
      create index standing_to_tell_due on standing_to_tell (due_at);
      insert into standing_to_tell (instance_id, person_id, due_at)
      select distinct m.instance_id, m.person_id, due_at
        from member m cross join unnest(array[now(), now() + interval '1 hour', now() + interval '1 day']) as due_at
       where m.role in ('owner', 'admin');
    `),
};
