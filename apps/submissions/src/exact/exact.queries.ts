import { rowsOf, type Bound, type Database, type Transaction } from '@sheaf/postgres';
import type { Ready } from '../intake/batches.queries';
import type { ExactRules } from './rules';

/** The version whose rules hold for a form. */
export interface Held {
  version: number;
  version_id: string | null;
  is_counted: boolean;
}

/** Undefined for a form that never had such rules. */
export async function held(db: Database, formId: string): Promise<Held | undefined> {
  const [row] = await rowsOf<Held>(
    db,
    `select version, version_id, not exists (select from exact_field c where c.form_id = f.form_id and not is_counted) as is_counted
       from exact_form f where form_id = ?`,
    [formId],
  );
  return row;
}

/**
 * Lets the rules of a version hold, unless other ones than those that were seen hold by now. Submissions that are there already are counted afterwards.
 * @returns whether they hold
 */
export async function hold(
  trx: Transaction,
  { formId, version, versionId, rules }: { formId: string; version: number; versionId: string | null; rules: ExactRules | undefined },
  seen: Held | undefined,
  bound?: Bound,
): Promise<boolean> {
  await rowsOf(trx, 'select lock_submission_changes(array[cast(? as uuid)])', [formId], bound);
  const taken = await rowsOf(
    trx,
    `insert into exact_form as f (form_id, version, version_id) values (:formId, :version, :versionId)
     on conflict (form_id) do update set version = excluded.version, version_id = excluded.version_id
      where f.version = :seenVersion and f.version_id is not distinct from cast(:seenId as uuid)
     returning form_id`,
    { formId, version, versionId, seenVersion: seen?.version ?? null, seenId: seen?.version_id ?? null },
  );
  if (taken.length === 0) return false;
  const fields = [...(rules?.places ?? []).map(({ key }) => ({ key, kind: 'places' })), ...(rules?.unique ?? [])];
  await rowsOf(trx, 'update exact_field set is_enforced = false where form_id = ?', [formId]);
  await rowsOf(
    trx,
    `insert into exact_field (form_id, key, kind, is_enforced)
     select cast(? as uuid), key, kind, true from json_to_recordset(cast(? as json)) as (key text, kind text)
     on conflict (form_id, key, kind) do update set is_enforced = true`,
    [formId, JSON.stringify(fields)],
  );
  await rowsOf(trx, 'update option_place set value = null, places = null where form_id = ? and places is not null', [formId]);
  await rowsOf(
    trx,
    `insert into option_place (form_id, key, option, value, places)
     select cast(? as uuid), key, sha256(convert_to(option, 'UTF8')), option, places
       from json_to_recordset(cast(? as json)) as (key text, option text, places integer)
     on conflict (form_id, key, option) do update set value = excluded.value, places = excluded.places`,
    [formId, JSON.stringify((rules?.places ?? []).flatMap(({ key, options }) => options.map((option) => ({ key, ...option }))))],
  );
  await rowsOf(trx, 'delete from option_place where form_id = ? and taken = 0 and places is null', [formId]);
  return true;
}

/** Counts some more of the submissions that were there before the rules. @returns whether all are counted */
export async function countBefore(db: Database, formId: string, atOnce: number, bound?: Bound): Promise<boolean> {
  const [row] = await rowsOf<{ counted: boolean }>(db, 'select count_exact_before(cast(? as uuid), ?) as counted', [formId, atOnce], bound);
  return row?.counted ?? true;
}

export interface TakenPlaces {
  key: string;
  option: string;
  places: number;
  taken: number;
}

/** How many places of each option with a limit are taken. */
export const takenPlaces = (db: Database, formId: string): Promise<TakenPlaces[]> =>
  rowsOf(db, 'select key, value as option, places, taken from option_place where form_id = ? and places is not null order by key, value', [
    formId,
  ]);

/** Something that a submission would take, and whether it is there. */
export interface Wish {
  /** The place of the submission among those asked about. */
  number: number;
  form_id: string;
  key: string;
  /** 'places', or how answers are compared. */
  kind: string;
  /** The option, or the normal form of the answer. */
  answer: string;
  /** How many places are left; null for any number. */
  left: number | null;
  /** Whether another submission has the answer. */
  is_taken: boolean;
}

/**
 * Tells all that some submissions would take. Only while the form is locked does the answer hold. Nothing for those whose idempotency key was taken before: they
 * are there already.
 */
export const wishes = (db: Database, batch: readonly Pick<Ready, 'submission' | 'key'>[], bound?: Bound): Promise<Wish[]> =>
  rowsOf(
    db,
    `select i.number, c.form_id, c.key, c.kind, c.answer, p.places - p.taken as left,
            c.kind <> 'places' and exists (select from unique_answer u where u.form_id = c.form_id and u.key = c.key and u.kind = c.kind
                                              and u.answer = sha256(convert_to(c.answer, 'UTF8'))) as is_taken
       from json_to_recordset(cast(? as json)) as i (number integer, id uuid, form_id uuid, created_at timestamptz, data text, idempotency_key text)
      cross join lateral claims_of(i.form_id, i.id, i.created_at, cast(i.data as json), 1) as c
       join exact_field f on f.form_id = c.form_id and f.key = c.key and f.kind = c.kind and f.is_enforced
       left join option_place p on c.kind = 'places' and p.form_id = c.form_id and p.key = c.key
                               and p.option = sha256(convert_to(c.answer, 'UTF8'))
      where not exists (select from idempotency_key k where k.form_id = i.form_id and k.key = i.idempotency_key)
      order by i.number, c.key, c.answer`,
    [
      JSON.stringify(
        batch.map(({ submission: { id, form_id, created_at, data }, key }, number) => ({
          number,
          id,
          form_id,
          created_at,
          data,
          idempotency_key: key?.key,
        })),
      ),
    ],
    bound,
  );

/** The answers in rows of a form that have to be unique, by their hashes, and whether a submission has them. */
export const repeatedAnswers = (
  db: Database,
  formId: string,
  rows: readonly { number: number; data: string }[],
): Promise<{ number: number; key: string; answer: string; is_taken: boolean }[]> =>
  rowsOf(
    db,
    `with wanted as (
       select i.number, f.key, f.kind, sha256(convert_to(normal_answer(f.kind, cast(i.data as jsonb) -> f.key), 'UTF8')) as answer
         from json_to_recordset(cast(:rows as json)) as i (number integer, data text)
         join exact_field f on f.form_id = :formId and f.is_enforced and f.kind <> 'places'
        where jsonb_typeof(cast(i.data as jsonb) -> f.key) in ('string', 'number')
     )
     select number, key, encode(answer, 'hex') as answer,
            exists (select from unique_answer u where u.form_id = :formId and u.key = w.key and u.kind = w.kind and u.answer = w.answer) as is_taken
       from wanted w where answer <> sha256('') order by number, key`,
    { formId, rows: JSON.stringify(rows) },
  );

/** Lets this transaction take more places than there are, or even answers that others have. */
export const letBeyond = (trx: Transaction, beyond: 'places' | 'all'): Promise<unknown> =>
  rowsOf(trx, `select set_config('sheaf.beyond', ?, true)`, [beyond]);
