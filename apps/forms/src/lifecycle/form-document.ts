import { itemsIn, picturesOf, thanksFaults, type FormDocument } from '@sheaf/contracts';
import { authorize, canActOnForm, type Client } from '@sheaf/kernel';
import { fieldFaults, withNormalValues } from '../content/draft-rules';
import { refusal } from '../content/faults';
import { paymentFaults, readPayment } from '../content/payment';
import type { Deps } from '../deps';
import * as drafts from '../draft/drafts.queries';
import { loadForm } from '../form/load-form';
import { dataUrlOf } from '../pictures/picture-bytes';
import { pictureFaults, readOptionPicture } from '../pictures/pictures';
import { pictures } from '../pictures/pictures.queries';
import * as versions from '../publishing/versions.queries';
import type { DraftRow, FormRow } from '../rows';
import { withLogo } from '../settings/form-settings';
import { settingsFaults } from '../settings/settings-rules';
import * as settings from '../settings/settings.queries';
import { writeXlsForm } from '../xlsform/write-xlsform';
import { isTimeZone } from './opening-times';

/** A form as a document that can be imported. Viewers may not read the draft and get the published version instead. */
export async function getFormDocument(deps: Deps, caller: Client, { id }: { id: string }): Promise<FormDocument> {
  return (await readDocument(deps, caller, id)).document;
}

/** The same as an XLSForm, with the name that its file gets, without an extension. */
export async function getFormXlsForm(deps: Deps, caller: Client, { id }: { id: string }): Promise<{ name: string; file: Buffer }> {
  const { form, document } = await readDocument(deps, caller, id);
  return { name: form.slug ?? form.id, file: await writeXlsForm(document) };
}

async function readDocument({ db }: Deps, caller: Client, id: string): Promise<{ form: FormRow; document: FormDocument }> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  const content = canActOnForm(role, 'change this form')
    ? await drafts.draftOf(db, form.id)
    : await versions.version(db, form.id, form.current_version);
  const row = await settings.settingsOf(db, form.id);
  const document = documentOf(form, content ?? { fields: '[]', payment: null }, row);
  const ids = picturesOf(document.fields);
  if (ids.length === 0) return { form, document };
  const byId = new Map((await pictures(db, form.id, ids)).map((picture) => [picture.id, dataUrlOf(picture)]));
  return { form, document: { ...document, pictures: ids.flatMap((each) => byId.get(each) ?? []) } };
}

const documentOf = (
  form: FormRow,
  content: Pick<DraftRow, 'fields' | 'payment'>,
  row: Awaited<ReturnType<typeof settings.settingsOf>>,
): FormDocument => ({
  sheaf: 'form',
  version: 1,
  title: form.title,
  fields: itemsIn(content.fields),
  payment: readPayment(content.payment),
  settings: withLogo(row),
  publish_mode: form.publish_mode,
  opens_at: form.opens_at?.toISOString(),
  closes_at: form.closes_at?.toISOString(),
  max_submissions: form.max_submissions ?? undefined,
  closed_message: form.closed_message ?? undefined,
  timezone: form.timezone ?? undefined,
});

/**
 * A document as it is stored. Its thank-you may name fields that are gone, or that are only in the draft of a form that was exported as published:
 * they show nothing, and publishing warns of them.
 * @throws Problem `bad_request` that lists the faults that its shape does not show.
 */
export function checkedDocument(given: FormDocument): FormDocument {
  const document = { ...given, fields: withNormalValues(given.fields) };
  const faults = [
    ...[...fieldFaults(document.fields, given.fields), ...paymentFaults(document.payment, document.fields)].map(({ key, message }) => ({
      key: `document.${key}`,
      message,
    })),
    ...[...settingsFaults(document.settings), ...thanksFaults(document.settings, () => true)].map(({ key, message }) => ({
      key: `document.settings.${key}`,
      message,
    })),
    ...(document.timezone === undefined || isTimeZone(document.timezone)
      ? []
      : [{ key: 'document.timezone', message: 'must be an IANA time zone, such as Europe/Berlin' }]),
    ...picturesIn(document).faults,
  ];
  if (faults.length > 0) throw refusal(faults);
  return document;
}

/** The pictures of a document, with the faults of those that are none and of options whose picture is not among them. */
export function picturesIn({ pictures: given = [], fields }: Pick<FormDocument, 'pictures' | 'fields'>) {
  const read = given.map(readOptionPicture);
  const found = read.flatMap((picture) => ('fault' in picture ? [] : [picture]));
  const wrong = read.flatMap((picture, at) => ('fault' in picture ? [{ key: `document.pictures.${at}`, message: picture.fault }] : []));
  const sizes = found.map(({ id, bytes }) => ({ id, bytes: bytes.length }));
  const missing = pictureFaults(fields, sizes, 'the SHA-256 hash of one of document.pictures');
  return { found, faults: [...wrong, ...missing.map(({ key, message }) => ({ key: `document.${key}`, message }))] };
}
