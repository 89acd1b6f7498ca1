import { PersonErased } from '@sheaf/contracts';
import { erasureConfirmed, readEvents, record, type DomainEvent } from '@sheaf/events';
import type { Log } from '@sheaf/runtime';
import { deleteGrantsOf } from '../access/grants.queries';
import type { Deps } from '../deps';
import { formChanged } from '../form/form-changed';
import { deleteFavoritesOf } from '../form/forms.queries';
import { deleteOwnOf, noteErased, type KeptTable } from '../views/sharing.queries';

type EraseDeps = Pick<Deps, 'outbox' | 'clock'>;

/** Rows per transaction, so that a change to a form never waits for all forms of one person. */
const batchSize = 200;

/**
 * Removes the grants, favourites, own views and own export presets of people who were erased, and confirms it. Forms that they created stay, with the id, and belong
 * to the owners of their workspace; views and presets that they shared belong to the form. After a crash, the confirmation counts what was left.
 */
export async function erasePeople(deps: EraseDeps, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { event, data: erased } of readEvents(log, events, 'person.erased', PersonErased, ['person_id', 'erasure_id'])) {
    const person = { instanceId: event.instanceId, id: erased.person_id };
    const grants = await untilNoneIsLeft(() => removeGrants(deps, person));
    const favorites = await untilNoneIsLeft(() => deps.outbox.transaction((trx) => deleteFavoritesOf(trx, person, batchSize)));
    await deps.outbox.transaction((trx) => noteErased(trx, person));
    const removeOwn = (table: KeptTable) =>
      untilNoneIsLeft(() => deps.outbox.transaction((trx) => deleteOwnOf(trx, table, person, batchSize)));
    const views = await removeOwn('submission_view');
    const exportPresets = await removeOwn('export_preset');
    await deps.outbox.transaction((trx) =>
      record(
        trx,
        erasureConfirmed(
          { id: erased.erasure_id, instanceId: event.instanceId },
          { service: 'forms', counts: { grants, favorites, views, export_presets: exportPresets } },
          deps.clock.now(),
        ),
      ),
    );
  }
}

async function untilNoneIsLeft(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let some = batchSize; some > 0; removed += some) some = await removeSome();
  return removed;
}

/** `grant.changed` is not sent: its consumers erase the person themselves. */
const removeGrants = ({ outbox, clock }: EraseDeps, person: { instanceId: string; id: string }): Promise<number> =>
  outbox.transaction(async (trx) => {
    const forms = await deleteGrantsOf(trx, person, batchSize);
    await record(trx, ...forms.map((form) => formChanged(form, [form.slug], clock.now())));
    return forms.length;
  });
