import { FormErased, FormKeepingChanged } from '@sheaf/contracts';
import { bodyOf, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { reindex } from '../search/reindex.queries';
import * as queries from './erasing.queries';
import { forEver, noted } from './grace';

type FollowDeps = Pick<Deps, 'db' | 'clock' | 'graceMs'>;

/** Begins to erase what belongs to erased forms, and notes how forms keep submissions. Handling an event twice changes nothing. */
export async function followForms(deps: FollowDeps, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'form.erased') {
      const erased = read(FormErased, event);
      if (erased && isId(erased.erasure_id)) await beginErasing(deps.db, event, erased);
      else skip(log, event);
    }
    if (event.type === 'form.keeping_changed') {
      const keeping = read(FormKeepingChanged, event);
      if (keeping && isId(keeping.workspace_id)) await keep(deps, event, keeping);
      else skip(log, event);
    }
  }
}

const keep = ({ db, clock, graceMs }: FollowDeps, { instanceId }: DomainEvent, told: z.output<typeof FormKeepingChanged>): Promise<void> =>
  db.transaction(async (trx) => {
    const before = await queries.lockKeeping(trx, { form_id: told.form_id, instance_id: instanceId, workspace_id: told.workspace_id });
    const { searchable = before.searchable, revision = before.revision } = told;
    // An earlier change arrives once more if its confirmation was lost.
    if (revision < before.revision) return;
    const days = { ...forEver, ...told, searchable, revision, instance_id: instanceId };
    // Their grace begins now, and not when they were decided: if they come late, what undoes them does too.
    const decided = noted({ ...days, decided: before.decided }, clock.now(), graceMs);
    await queries.saveKeeping(trx, { ...days, decided });
    if (searchable !== before.searchable) await reindex(trx, told.form_id);
  });

const beginErasing = (
  db: Deps['db'],
  { instanceId, occurredAt }: DomainEvent,
  { erasure_id: id, form_id: formId }: z.output<typeof FormErased>,
): Promise<void> =>
  db.transaction((trx) =>
    queries.open(trx, {
      id,
      instance_id: instanceId,
      form_id: formId,
      whole_form: true,
      submissions: 0,
      files: 0,
      begun_at: occurredAt,
      confirmed_at: null,
    }),
  );

// Skipped permanently: a retry would fail as well and delay all later events.
const skip = (log: Log, { id, type }: DomainEvent): void => log.error({ eventId: id, type }, 'skipped an unreadable event');

function read<T extends z.ZodType<{ form_id: string }>>(shape: T, event: DomainEvent): z.output<T> | undefined {
  const data = bodyOf(shape, event);
  return data && [data.form_id, event.instanceId].every(isId) ? data : undefined;
}
