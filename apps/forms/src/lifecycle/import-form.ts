import { picturesOf, storedItems, type FormDocument } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorizeIn, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as drafts from '../draft/drafts.queries';
import { enterFolder, folderOfWorkspace } from '../filing/filing';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { insertPictures } from '../pictures/pictures.queries';
import type { FormRow } from '../rows';
import { changedSettings } from '../settings/form-settings';
import * as settings from '../settings/settings.queries';
import type { ImportWarning } from '../xlsform/report';
import { blankForm } from './create-form';
import { checkedDocument, picturesIn } from './form-document';
import { openingTimes } from './opening-times';

const noSettings = { settings: '{}', access_hash: undefined, logo_type: null, logo: null };

/** Creates an unpublished form from a document, in a workspace in which the caller may create forms. */
export async function importForm(
  deps: Deps,
  asked: Asked<Client>,
  { document, ...place }: Place & { document: FormDocument },
): Promise<FormRow> {
  return importDocument(deps, asked, checkedDocument(document), place);
}

/** The same from an XLSForm, with the parts of it that forms do not have. */
export async function importXlsForm(
  deps: Deps,
  asked: Asked<Client>,
  { file, ...place }: Place & { file: Buffer },
): Promise<{ form: FormRow; warnings: ImportWarning[] }> {
  refuseElsewhere(asked.caller, place);
  const { document, warnings } = await deps.xlsForms.read(file, {
    instanceId: asked.caller.instanceId,
    until: asked.call.deadline,
    signal: asked.call.signal,
  });
  return { form: await importDocument(deps, asked, document, place), warnings };
}

/** The place of a new form. */
interface Place {
  workspaceId: string;
  folderId: string | undefined;
}

/** Before anything is read, as reading a workbook costs more than reading JSON. */
function refuseElsewhere(caller: Client, { workspaceId, folderId }: Place): void {
  if (caller.kind === 'user') authorizeIn(caller.roles[workspaceId], 'create forms in this workspace');
  else if (folderId === undefined)
    throw Problem.badRequest('folder_id: is required for service accounts, which have no workspace of their own');
}

async function importDocument(deps: Deps, asked: Asked<Client>, document: FormDocument, place: Place): Promise<FormRow> {
  const { caller } = asked;
  const { workspaceId, folderId } = place;
  const times = openingTimes({ opens_at: null, closes_at: null, timezone: null }, document);
  const changed = changedSettings(noSettings, document.settings);
  const kept = usedPictures(document);
  refuseElsewhere(caller, place);
  if (folderId !== undefined) await folderOfWorkspace(deps, asked, folderId, workspaceId);

  const now = deps.clock.now();
  const form: FormRow = {
    ...blankForm(caller, { workspaceId, title: document.title, now }),
    folder_id: folderId ?? null,
    publish_mode: document.publish_mode ?? 'draft',
    ...times,
    max_submissions: document.max_submissions ?? null,
    closed_message: document.closed_message ?? null,
    timezone: document.timezone ?? null,
  };
  await deps.outbox.transaction(async (trx) => {
    if (form.folder_id !== null) await enterFolder(trx, form.folder_id);
    await forms.insertForm(trx, form);
    await drafts.insertDraft(trx, {
      form_id: form.id,
      fields: storedItems(document.fields),
      payment: document.payment === undefined ? null : JSON.stringify(document.payment),
      // The content counts as saved once.
      revision: 1,
      updated_at: now,
    });
    await insertPictures(trx, form.id, kept, now);
    await settings.saveSettings(trx, form.id, changed);
    await record(trx, formChanged(form, [], now), audited(asked, formDeed('form.created', form), now));
  });
  return form;
}

/** The pictures that options have, each once. */
function usedPictures(document: FormDocument) {
  const used = new Set(picturesOf(document.fields));
  return [...new Map(picturesIn(document).found.map((picture) => [picture.id, picture])).values()].filter(({ id }) => used.has(id));
}
