import { itemsIn, storedItems, type FormItem, type PublishWarning } from '@sheaf/contracts';
import { audited, record, type DomainEvent } from '@sheaf/events';
import { authorize, newId, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Content } from '../content/content-changes';
import { readContent, readPayment } from '../content/payment';
import type { Deps } from '../deps';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { lockForm, refuseTrashed } from '../form/load-form';
import { publishPictures } from '../pictures/pictures';
import type { FormRow, PendingRow } from '../rows';
import { formTexts } from './form-texts';
import { publishWarnings } from './publish-warnings';
import * as versions from './versions.queries';

export interface Publication {
  version: number;
  publishedAt: Date;
  /** They do not prevent the publication. */
  warnings: PublishWarning[];
}

/**
 * Publishes the draft as the next version, even if nothing has changed.
 * @throws Problem `conflict` if a revision is given and the draft has another one.
 */
export async function publishForm(
  deps: Deps,
  asked: Asked<Client>,
  { id, revision }: { id: string; revision?: number },
): Promise<Publication> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, caller, id);
    authorize(role, 'publish this form');
    refuseTrashed(form);
    // The lock on the form keeps the draft as it is.
    const draft = await versions.draftAndPublished(trx, form.id);
    if (revision !== undefined && draft.revision !== revision)
      throw Problem.conflict('revision: the draft has changed in the meantime; read it again before you publish it');
    const content = readContent(draft);

    const now = deps.clock.now();
    const current_version = await addVersion(trx, { form, by: caller, now }, { fields: content.fields, payment: draft.payment });
    await forms.updateForm(trx, form.id, { current_version, updated_at: now });
    await record(trx, formChanged(form, [form.slug], now), ...publicationOf(asked, form, { version: current_version, at: now }));
    const warnings = publishWarnings(content, latestContent(draft), await formTexts(trx, form));
    return { version: current_version, publishedAt: now, warnings };
  });
}

/** The content of the latest version; undefined before the first publication. */
export function latestContent({
  published_version: version,
  published_fields: fields,
  published_payment: payment,
}: PendingRow): (Content & { version: number }) | undefined {
  if (version === null || fields === null) return undefined;
  return { version, fields: itemsIn(fields), payment: readPayment(payment) };
}

/** The audit log entry of a publication, if the version is new. */
export const publicationOf = (asked: Asked<Client>, form: FormRow, { version, at }: { version: number; at: Date }): DomainEvent[] =>
  version === form.current_version ? [] : [audited(asked, formDeed('form.published', form, { version }), at)];

/** A locked form, its publisher and the time. */
export interface Publishing {
  form: FormRow;
  by: Client;
  now: Date;
}

/**
 * For forms that publish automatically: publishes the draft as the next version if it differs from the latest one.
 * @returns the changes to the form's row.
 */
export async function publishPending(trx: Transaction, publishing: Publishing): Promise<Pick<FormRow, 'current_version'>> {
  const { current_version } = publishing.form;
  const draft = await versions.draftAndPublished(trx, publishing.form.id);
  // A draft that was never saved is not a change.
  if (draft.revision === 0 || (draft.fields === draft.published_fields && draft.payment === draft.published_payment))
    return { current_version };
  return { current_version: await addVersion(trx, publishing, { fields: readContent(draft).fields, payment: draft.payment }) };
}

/** The lock on the form makes the next number certain; with a sequence, a failed publication would leave a gap. */
async function addVersion(
  trx: Transaction,
  { form, by, now }: Publishing,
  { fields, payment }: { fields: FormItem[]; payment: string | null },
): Promise<number> {
  const number = form.current_version + 1;
  await publishPictures(trx, form.id, fields);
  await versions.insertVersion(trx, {
    id: newId(),
    form_id: form.id,
    number,
    fields: storedItems(fields),
    payment,
    published_by_kind: by.kind,
    published_by_id: by.id,
    published_at: now,
  });
  return number;
}
