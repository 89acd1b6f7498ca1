import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { lockForm } from '../form/load-form';

/** Moves a form to the trash and remembers its status for a restore. A form that is already there stays unchanged. */
export async function trashForm(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<void> {
  await deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, asked.caller, id);
    authorize(role, 'delete this form');
    if (form.status === 'trashed') return;

    const now = deps.clock.now();
    await forms.updateForm(trx, form.id, { status: 'trashed', status_before_trash: form.status, updated_at: now });
    await record(trx, formChanged(form, [form.slug], now, { trashed: true }), audited(asked, formDeed('form.trashed', form), now));
  });
}
