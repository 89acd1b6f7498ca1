import type { AuditEntry } from '@sheaf/contracts';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { z } from 'zod';

export interface AuditRow {
  id: string;
  instance_id: string;
  workspace_id: string | null;
  action: string;
  actor_kind: string;
  actor_id: string | null;
  via: string | null;
  credential_id: string | null;
  target_kind: string;
  target_id: string;
  form_id: string | null;
  address: string | null;
  request_id: string;
  details: Record<string, unknown> | null;
  occurred_at: Date;
}

type Entry = z.output<typeof AuditEntry>;

/** An entry with the current name and address of its actor. */
export interface SeenAuditRow extends AuditRow {
  action: Entry['action'];
  actor_kind: Entry['actor']['kind'];
  via: NonNullable<Entry['actor']['via']> | null;
  target_kind: Entry['target']['kind'];
  actor_name: string | null;
  actor_email: string | null;
}

/**
 * Stores and counts the entries that are not stored yet, in one statement. Entries are stored, and counters locked, in the order of their
 * ids; removal locks the counters in the same order, which prevents deadlocks. Entries of people who were erased are stored without addresses.
 */
export async function insertEntries(db: Database, entries: readonly AuditRow[]): Promise<void> {
  if (entries.length === 0) return;
  await rowsOf(
    db,
    `with stored as (
       insert into audit_entry (id, instance_id, workspace_id, action, actor_kind, actor_id, via, credential_id, target_kind, target_id,
                                form_id, address, request_id, details, occurred_at)
       select id, instance_id, workspace_id, action, actor_kind, actor_id, via, credential_id, target_kind, target_id,
              form_id, case when of_erased then null else address end, request_id, details, occurred_at
         from jsonb_to_recordset(cast(? as jsonb)) as made (
                id uuid, instance_id uuid, workspace_id uuid, action text, actor_kind text, actor_id text, via text, credential_id text,
                target_kind text, target_id text, form_id uuid, address text, request_id text, details jsonb, occurred_at timestamptz)
        cross join lateral (
          select exists (
            select from erased_person p
             where p.instance_id = made.instance_id
               and p.person_id = case when actor_kind = 'user' then actor_id when action = 'session.failed' then target_id end) as of_erased) as person
        order by id
       on conflict (id) do nothing
       returning scope_id
     )
     insert into audit_count as c (scope_id, entries) select scope_id, count(*) from stored group by scope_id order by scope_id
     on conflict (scope_id) do update set entries = c.entries + excluded.entries`,
    [JSON.stringify(entries)],
  );
}

export interface AuditFilter {
  actorId: string | undefined;
  /** Any of these. */
  actions: readonly string[];
  targetId: string | undefined;
  formId: string | undefined;
  /** The period: `from` is inclusive, `to` exclusive. */
  from: Date | undefined;
  to: Date | undefined;
}

/**
 * A page of the entries of some scopes, the newest first, and their total. Without a filter the total comes from the counters; with one,
 * entries are counted up to `countedTo`. Each scope, and each action in it, is read through an index in list order, and only as far as the page reaches.
 */
export async function pageOfEntries(
  db: Database,
  scopes: readonly string[],
  filter: AuditFilter,
  page: { limit: number; offset: number; countedTo: number },
): Promise<{ rows: SeenAuditRow[]; total: number }> {
  const conditions = [
    filter.actorId !== undefined && 'e.actor_id = :actor',
    filter.actions.length > 0 && 'e.action = scope.action',
    filter.targetId !== undefined && 'e.target_id = :target',
    filter.formId !== undefined && 'e.form_id = :form',
    filter.from !== undefined && 'e.occurred_at >= :from',
    filter.to !== undefined && 'e.occurred_at < :to',
  ].filter((condition) => condition !== false);
  const matching = `from audit_entry e where ${['e.scope_id = scope.id', ...conditions].join(' and ')}`;
  const total =
    conditions.length === 0
      ? 'select coalesce(sum(entries), 0) as total from audit_count where scope_id = any(cast(:scopes as uuid[]))'
      : `select count(*) as total
           from (select from scope cross join lateral (select ${matching} limit :countedTo) as found limit :countedTo) as counted`;

  const rows = await rowsOf<{ total: string } & (SeenAuditRow | { id: null })>(
    db,
    `with scope as (
       select scope.id, wanted.action
         from unnest(cast(:scopes as uuid[])) as scope (id) cross join unnest(cast(:actions as text[])) as wanted (action))
     select counted.total, log.*
       from (${total}) as counted
       left join (
         select e.*, coalesce(person.name, account.name) as actor_name, person.email as actor_email
           from (select newest.id
                   from scope cross join lateral (
                     select e.id, e.occurred_at ${matching} order by e.occurred_at desc, e.id desc limit cast(:reach as bigint)) as newest
                  order by newest.occurred_at desc, newest.id desc limit :limit offset :offset) as page
           join audit_entry e on e.id = page.id
           left join person on person.instance_id = e.instance_id and person.id = case when e.actor_kind = 'user' then cast(e.actor_id as uuid) end
           left join service_account account on account.id = case when e.actor_kind = 'service_account' then cast(e.actor_id as uuid) end
       ) as log on true
      order by log.occurred_at desc, log.id desc`,
    {
      scopes: [...scopes],
      actor: filter.actorId ?? null,
      // Without a condition on it, an empty name stands for every action.
      actions: filter.actions.length > 0 ? [...filter.actions] : [''],
      target: filter.targetId ?? null,
      form: filter.formId ?? null,
      from: filter.from ?? null,
      to: filter.to ?? null,
      limit: page.limit,
      offset: page.offset,
      reach: page.limit + page.offset,
      countedTo: page.countedTo,
    },
  );
  return { rows: rows.filter((row) => row.id !== null), total: Number(rows[0]?.total ?? 0) };
}

// An arbitrary number, the same in all processes of the service.
const removalLock = 7_346_106;

/** @returns false while another process removes entries. */
export async function tryLockRemoval(trx: Transaction): Promise<boolean> {
  const [row] = await rowsOf<{ got: boolean }>(trx, 'select pg_try_advisory_xact_lock(?) as got', [removalLock]);
  return row?.got === true;
}

/** Removes entries older than the given time. @returns the number of removed entries, at most the limit. */
export async function removeSome(trx: Transaction, before: Date, limit: number): Promise<number> {
  const [row] = await rowsOf<{ removed: number }>(trx, 'select remove_old_audit_entries(?, ?) as removed', [before, limit]);
  return row?.removed ?? 0;
}

/** Removes the IP addresses of a person who was erased. @returns the number of changed entries, at most twice the limit. */
export async function forgetAddresses(trx: Transaction, instanceId: string, personId: string, limit: number): Promise<number> {
  const [row] = await rowsOf<{ forgotten: number }>(trx, 'select forget_audit_addresses(?, ?, ?) as forgotten', [
    instanceId,
    personId,
    limit,
  ]);
  return row?.forgotten ?? 0;
}
