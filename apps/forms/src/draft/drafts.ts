import { itemsIn, storedItems, type AuditDetails, type FormItem, type Payment } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { checkedItems } from '../content/draft-rules';
import { checkedPayment } from '../content/payment';
import type { Deps } from '../deps';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { loadForm, lockForm, refuseTrashed } from '../form/load-form';
import { usePictures } from '../pictures/pictures';
import { publicationOf, publishPending } from '../publishing/publish-form';
import * as versions from '../publishing/versions.queries';
import type { DraftRow, FormRow } from '../rows';
import * as drafts from './drafts.queries';

export async function getDraft({ db }: Deps, caller: Client, { id }: { id: string }): Promise<DraftRow> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'change this form');
  return drafts.draftOf(db, form.id);
}

/** Replaces the draft. @throws Problem `bad_request` that lists the faults between fields. */
export async function putDraft(
  deps: Deps,
  asked: Asked<Client>,
  { id, fields, payment, revision }: { id: string; fields: readonly FormItem[]; payment?: Payment | undefined; revision: number },
): Promise<DraftRow> {
  const items = checkedItems(fields);
  const price = checkedPayment(payment, items);
  const content = { fields: storedItems(items), payment: price === undefined ? null : JSON.stringify(price) };
  return replaceDraft(deps, asked, { id, revision }, () => Promise.resolve({ content }));
}

/** Replaces the draft with the content of a version. */
export const restoreDraft = (
  deps: Deps,
  asked: Asked<Client>,
  { id, version, revision }: { id: string; version: number; revision: number },
): Promise<DraftRow> =>
  replaceDraft(deps, asked, { id, revision }, async (trx, form) => {
    const content = version <= form.current_version ? await versions.version(trx, form.id, version) : undefined;
    if (!content) throw Problem.badRequest('version: there is no such version');
    return { content, details: { version } };
  });

/** Replaces the draft with the content of the latest version. */
export const discardDraft = (deps: Deps, asked: Asked<Client>, { id, revision }: { id: string; revision: number }): Promise<DraftRow> =>
  replaceDraft(deps, asked, { id, revision }, async (trx, form) => {
    const content = await versions.version(trx, form.id, form.current_version);
    if (!content) throw Problem.badRequest('The form was never published, so there is no version to return to.');
    return { content, details: { version: form.current_version } };
  });

/** The content that replaces a draft, and its origin for the audit log. */
interface Replacement {
  content: Pick<DraftRow, 'fields' | 'payment'>;
  details?: AuditDetails;
}

/**
 * Replaces the draft with one based on the given revision, and publishes it if the form publishes automatically.
 * @throws Problem `conflict` if the draft has another revision.
 */
function replaceDraft(
  deps: Deps,
  asked: Asked<Client>,
  base: { id: string; revision: number },
  replacementOf: (trx: Transaction, form: FormRow) => Promise<Replacement>,
): Promise<DraftRow> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, caller, base.id);
    authorize(role, 'change this form');
    refuseTrashed(form);
    const { content, details } = await replacementOf(trx, form);

    const now = deps.clock.now();
    await usePictures(trx, form.id, itemsIn(content.fields), now);
    const draft = await drafts.replaceDraft(trx, { form_id: form.id, revision: base.revision }, content, now);
    if (!draft) throw Problem.conflict('revision: the draft has changed in the meantime; read it again and reapply your changes');
    const { current_version } = form.publish_mode === 'auto' ? await publishPending(trx, { form, by: caller, now }) : form;
    await forms.updateForm(trx, form.id, { current_version, updated_at: now });
    await record(
      trx,
      formChanged(form, [form.slug], now),
      audited(asked, formDeed('draft.saved', form, { revision: draft.revision, ...details }), now),
      ...publicationOf(asked, form, { version: current_version, at: now }),
    );
    return draft;
  });
}
