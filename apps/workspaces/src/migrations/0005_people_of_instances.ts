import type { Migration } from '@sheaf/postgres';

/**
 * A person belongs to one instance. They were deployment-wide before, and as addresses are not verified, whoever was the first to invite
 * an address, in whichever instance, could make themselves the person that others added to theirs.
 *
 * Somebody who is in several instances becomes one person in each of them, with the password that they had. All of them keep the id, as
 * the other services know people by it, in their own databases: it is unique in an instance now. Processes of the version before go on
 * with all but the making of people: adding a member fails in them, and nothing of it stays behind.
 */
export const peopleOfInstances: Migration = {
  name: '0005_people_of_instances',
  up: (db) =>
    db.raw(`
      alter table member drop constraint member_person_id_fkey;
      alter table invitation drop constraint invitation_person_id_fkey;
      alter table session drop constraint session_person_id_fkey;
      alter table api_key drop constraint api_key_person_id_fkey;
      alter table person drop constraint person_pkey, drop constraint person_email_key, add column instance_id uuid references instance;

      -- The audit log still names those who have been removed.
      insert into person (id, instance_id, email, name, avatar_url, password_hash, created_at)
      select p.id, used.instance_id, p.email, p.name, p.avatar_url, p.password_hash, p.created_at
        from person p join (
          select person_id, instance_id from member
          union select person_id, instance_id from invitation
          union select person_id, instance_id from session
          union select person_id, instance_id from api_key
          union select cast(target_id as uuid), instance_id from audit_entry where target_kind in ('member', 'user')
        ) as used on used.person_id = p.id
       where used.instance_id in (select id from instance);
      delete from person where instance_id is null;

      alter table person
        alter column instance_id set not null,
        add constraint person_pkey primary key (instance_id, id),
        add constraint person_email_key unique (instance_id, email);
      alter table member add constraint member_person_fkey foreign key (instance_id, person_id) references person (instance_id, id);
      alter table invitation add constraint invitation_person_fkey foreign key (instance_id, person_id) references person (instance_id, id);
      alter table session add constraint session_person_fkey foreign key (instance_id, person_id) references person (instance_id, id);
      alter table api_key add constraint api_key_person_fkey foreign key (instance_id, person_id) references person (instance_id, id);

      -- For the removal of those that are over.
      create index session_expired on session (expires_at);
      create index session_ended on session (ended_at) where ended_at is not null;
      create index invitation_expired on invitation (expires_at);
    `),
};
