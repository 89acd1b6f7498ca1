import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { lockForm, type SeenForm } from '../form/load-form';

/**
 * Restores a form from the trash with its previous status. Its slug was kept. If its folder was deleted, it is already unfiled. A form that
 * is not in the trash stays unchanged.
 */
export async function restoreForm(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<SeenForm> {
  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, asked.caller, id);
    authorize(role, 'restore this form');
    if (form.status_before_trash === null) return { form, role };

    const now = deps.clock.now();
    const changes = { status: form.status_before_trash, status_before_trash: null, updated_at: now };
    await forms.updateForm(trx, form.id, changes);
    await record(trx, formChanged(form, [form.slug], now), audited(asked, formDeed('form.restored', form), now));
    return { form: { ...form, ...changes }, role };
  });
}
