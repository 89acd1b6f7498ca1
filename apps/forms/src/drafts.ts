import type { Payment } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from './deps';
import { readDraft } from './draft-rules';
import * as drafts from './drafts.queries';
import { formChanged, formDeed } from './form-changed';
import * as forms from './forms.queries';
import { loadForm, lockForm, refuseTrashed } from './load-form';
import { publicationOf, publishPending } from './publish-form';
import type { DraftRow } from './rows';

export async function getDraft({ db }: Deps, caller: Client, { id }: { id: string }): Promise<DraftRow> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'change this form');
  return drafts.draftOf(db, form.id);
}

/**
 * Replaces the draft with one based on the given revision, and publishes it if the form publishes automatically.
 * @throws Problem `bad_request` that lists the faults of the fields; `conflict` if the draft has another revision.
 */
export async function putDraft(
  deps: Deps,
  asked: Asked<Client>,
  wanted: { id: string; fields: string; payment?: Payment | undefined; revision: number },
): Promise<DraftRow> {
  const { caller } = asked;
  const fields = readDraft(wanted.fields);
  const content = { fields: JSON.stringify(fields), payment: wanted.payment === undefined ? null : JSON.stringify(wanted.payment) };

  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, caller, wanted.id);
    authorize(role, 'change this form');
    refuseTrashed(form);

    const now = deps.clock.now();
    const draft = await drafts.replaceDraft(trx, { form_id: form.id, revision: wanted.revision }, content, now);
    if (!draft) throw Problem.conflict('revision: the draft has changed in the meantime; read it again and reapply your changes');
    const { current_version } = form.publish_mode === 'auto' ? await publishPending(trx, { form, by: caller, now }) : form;
    await forms.updateForm(trx, form.id, { current_version, updated_at: now });
    await record(
      trx,
      formChanged(form, [form.slug], now),
      audited(asked, formDeed('draft.saved', form, { revision: draft.revision }), now),
      ...publicationOf(asked, form, { version: current_version, at: now }),
    );
    return draft;
  });
}
