import * as api from '@sheaf/contracts';
import { Problem, type Respondent } from '@sheaf/kernel';
import { answer, answerAs, clientsWith, open, openStream, type Asked, type Doors, type SubmissionsDefinition } from '@sheaf/rpc';
import { admitted } from './access-code/admitted';
import { endBulkChange, getBulkChange, listBulkChanges, startBulkChange, undoBulkChange } from './bulk/bulk-changes';
import type { BulkOutcome } from './submission/change-many';
import { changeStatus, changeStatuses } from './submission/change-status';
import { correctSubmission } from './corrections/correct-submission';
import { getRevision, listRevisions } from './corrections/read-revisions';
import { checkAnswers } from './intake/check-answers';
import type { Deps } from './deps';
import { eraseSubmission, eraseSubmissions } from './erasing/erase-submissions';
import { forEver } from './erasing/grace';
import { getInstanceRetention, updateInstanceRetention } from './erasing/instance-retention';
import { getFormRetention } from './erasing/schedule';
import { exportSubmissions } from './export/export-submissions';
import { importSubmissions, previewImport } from './import/import-submissions';
import { Turns } from './import/turns';
import { deleteExport, getExport, listExports, readExport, startExport } from './export/form-exports';
import type { Wanted } from './export/plan';
import { getReceipt } from './intake/get-receipt';
import { getPayment } from './payments/get-payment';
import { Intake } from './intake/batches';
import { enterSubmission } from './intake/enter';
import { intakeForm } from './form/intake-form';
import { endingMessage } from './form/ending';
import { tryDraft } from './form/try-draft';
import { readChanges } from './feed/read-changes';
import { countStep } from './insights/count-step';
import { getInsights } from './insights/get-insights';
import { describeFiles, readLinkedFile } from './files/linked-files';
import { readFile } from './files/read-file';
import { countAnswers } from './submission/count-answers';
import {
  bulkChange,
  formExport,
  foundSubmissions,
  insights,
  instanceRetention,
  intakeFormMessage,
  listed,
  note,
  printed,
  retentionSchedule,
  revision,
  statusChange,
  subjectMatch,
  submission,
  submissionDeed,
  referenced,
  submissionDetail,
  wholeSubmission,
} from './messages';
import { listNotes } from './notes/list-notes';
import { addNote, deleteNote, updateNote } from './notes/write-notes';
import { assignSubmission } from './submission/assign-submission';
import { getSubmission, listSubmissions, readAnswers, submissionHistory } from './submission/read-submissions';
import { getSavedAnswers } from './saved/get-saved-answers';
import { saveAnswers } from './saved/save-answers';
import { eraseSubject } from './subjects/erase-subject';
import { findSubject } from './subjects/find-subject';
import { takePaymentEvent } from './payments/settle-payment';
import { listSpam, markManySpam, markSpam } from './spam/spam';
import { countViews } from './search/count-views';
import { findSubmissions } from './search/find-submissions';
import { listReferenced } from './search/list-referenced';
import { submit } from './intake/submit';
import { summarizeForms } from './submission/summarize-forms';
import { versionIdOf } from './submission/submissions.queries';
import { deleteSubmission, listTrash, restoreSubmission, restoreSubmissions, trashSubmissions } from './submission/trash';
import { uploadFile } from './files/upload-file';
import type { z } from 'zod';
import * as shapes from './shapes';

/** The service's endpoints: which callers may use each, the shape of its request, and the translation between messages and use cases. */
export function doors(deps: Deps): Doors<SubmissionsDefinition> {
  // One per process, so that submissions that arrive together are stored together.
  const submitting = { ...deps, intake: new Intake(deps) };
  /** A method for respondents that is about a form: it is open to those whom the form admits. */
  const ofForm = <Taken, S extends z.ZodType<NamesForm, Taken>, Answer>(
    shape: S,
    handle: (input: z.output<S>, asked: Asked<Respondent>, pass: string | undefined) => Promise<Answer>,
  ) =>
    open(['respondent'], shape, async (input, asked: Asked<Respondent>) => handle(input, asked, await admitted(deps, asked, named(input))));
  const importing = { ...deps, importTurns: new Turns() };
  return {
    getIntakeForm: ofForm(shapes.getIntakeForm, async ({ form, origin, view: isView }, asked, pass) => ({
      ...intakeFormMessage(await intakeForm(deps, asked, { form, origin, isView })),
      pass,
    })),
    submit: ofForm(shapes.submit, async (input, asked) => {
      const {
        form,
        data,
        idempotency_key,
        hp,
        started,
        origin,
        proof,
        return_url,
        amount_seen,
        saved,
        language,
        begins,
        confirmed,
        checked,
      } = input;
      const { submission, paymentUrl, ending } = await submit(submitting, asked, {
        form,
        data,
        idempotencyKey: idempotency_key,
        honeypot: hp,
        started,
        proof,
        origin,
        returnUrl: return_url,
        amountSeen: amount_seen,
        saved,
        language,
        begins,
        confirmed,
        checked,
      });
      const { id, form_id, status, created_at } = submission;
      return {
        ...{ id, form_id, status, created_at: created_at.toISOString(), payment_url: paymentUrl },
        ending: ending && endingMessage(ending),
      };
    }),
    checkAnswers: ofForm(shapes.checkAnswers, async (input, asked) => ({
      faults: Buffer.from(JSON.stringify(await checkAnswers(deps, asked, input))),
    })),
    countStep: ofForm(shapes.countStep, async (input, asked) => {
      await countStep(deps, asked, input);
      return {};
    }),
    tryDraft: answerAs(api.tryFormDraft, async ({ form_id: formId, data: answers }, asked) => {
      const { faults, visible } = await tryDraft(deps, asked, { formId, answers });
      return { faults: Buffer.from(JSON.stringify(faults)), visible };
    }),
    getReceipt: ofForm(shapes.getReceipt, async ({ form_id, id, idempotency_key, data }, asked) => {
      const sent = { formId: form_id, id, idempotencyKey: idempotency_key, data };
      const { submission, price, paymentUrl, answered, ending, piped, isSame } = await getReceipt(deps, asked, sent);
      return {
        id: submission.id,
        form_id,
        status: submission.status,
        created_at: submission.created_at.toISOString(),
        price,
        payment_url: paymentUrl,
        is_same: isSame,
        ending: ending?.told && endingMessage(ending.told),
        has_ending: ending && true,
        piped: piped && Buffer.from(JSON.stringify(piped)),
        ...(answered && { data: Buffer.from(answered.data), fields: answered.fields, file_names: answered.fileNames }),
      };
    }),
    saveAnswers: ofForm(shapes.saveAnswers, async ({ form, name, sealed, file_ids: fileIds, begins }, asked) => {
      const { expiresAt } = await saveAnswers(deps, asked, { form, name, sealed, fileIds, begins });
      return { expires_at: expiresAt.toISOString() };
    }),
    getSavedAnswers: ofForm(shapes.getSavedAnswers, async (input, asked) => {
      const { sealed, expires_at } = await getSavedAnswers(deps, asked, input);
      return { sealed, expires_at: expires_at.toISOString() };
    }),
    uploadFile: openStream(['respondent'], shapes.uploadFile, async (parts, asked) => {
      const arriving = parts[Symbol.asyncIterator]();
      const first = await arriving.next();
      const file = first.done === true ? undefined : first.value.file;
      if (!file) throw Problem.badRequest('file: has to be announced before its bytes');
      return uploadFile(
        deps,
        asked,
        { form: file.form, field: file.field, name: file.name, contentType: file.content_type, origin: file.origin },
        bytesOf(arriving),
      );
    }),

    listSubmissions: answerAs(
      api.listSubmissions,
      async ({ form_id, limit, offset, status, as_json: asJson, max_bytes: maxBytes }, asked) => {
        const { total, ...page } = await listSubmissions(deps, asked, { formId: form_id, limit, offset, status, asJson, maxBytes });
        return 'json' in page
          ? { json: Buffer.from(page.json), rest: page.rest.map(submission), total }
          : listed({ total, rows: page.rows });
      },
    ),
    previewImport: openStream(clientsWith('submissions:write'), shapes.importFile, async (parts, asked) => {
      const { wanted, bytes } = await fileToImport(parts);
      return { json: Buffer.from(JSON.stringify(await previewImport(importing, asked, wanted, bytes))) };
    }),
    importSubmissions: openStream(clientsWith('submissions:write'), shapes.importFile, async (parts, asked) => {
      const { wanted, bytes } = await fileToImport(parts);
      return { json: Buffer.from(JSON.stringify(await importSubmissions(importing, asked, wanted, bytes))) };
    }),

    findSubmissions: answerAs(
      api.searchSubmissions,
      async (
        {
          form_id: formId,
          status = [],
          filter: filters = [],
          changed_since: changedSince,
          max_bytes: maxBytes,
          as_json: asJson,
          ...search
        },
        asked,
      ) => {
        const statuses = status.length > 0 ? status : undefined;
        return foundSubmissions(
          await findSubmissions(deps, asked, { ...search, formId, statuses, filters, changedSince, maxBytes, asJson }),
        );
      },
    ),
    countViews: answer(api.getSubmissionViewCounts, async ({ form_id: formId, views }, asked) => ({
      data: await countViews(deps, asked, { formId, views }),
    })),
    listSubmissionChanges: answerAs(api.listSubmissionChanges, async ({ form_id: formId, cursor, limit }, asked) => {
      const { json, hasMore, nextCursor } = await readChanges(deps, asked, { formId, cursor, limit });
      return { json: Buffer.from(json), has_more: hasMore, next_cursor: nextCursor };
    }),
    listReferencedSubmissions: answer(api.listReferencedSubmissions, async ({ reference }, asked) => ({
      data: (await listReferenced(deps, asked, reference)).map(referenced),
    })),
    getSubmission: answer(api.getSubmission, async ({ form_id, id }, asked) =>
      wholeSubmission(await getSubmission(deps, asked, { formId: form_id, id })),
    ),
    readAnswers: open(clientsWith('submissions:read'), shapes.readAnswers, async function* ({ form_id, ids }, asked) {
      for await (const part of readAnswers(deps, asked, { formId: form_id, ids }))
        yield { answers: part.map(({ id, data }) => ({ id, data: Buffer.from(data) })) };
    }),
    changeStatus: answer(api.updateSubmissionStatus, async ({ form_id, id, status }, asked) =>
      wholeSubmission(await changeStatus(deps, asked, { formId: form_id, id, to: status })),
    ),
    deleteSubmission: answer(api.deleteSubmission, ({ form_id, id }, asked) => deleteSubmission(deps, asked, { formId: form_id, id })),
    exportSubmissions: open(clientsWith('submissions:read'), shapes.exportSubmissions, async function* ({ head, ...request }, asked) {
      for await (const data of exportSubmissions(deps, asked, { ...wantedFile(request), head }))
        yield { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) };
    }),
    startExport: open(clientsWith('submissions:read'), shapes.startExport, async ({ wanted: { head: _, ...request }, name }, asked) =>
      formExport(await startExport(deps, asked, wantedFile(request), name)),
    ),
    listExports: answer(api.listFormExports, async ({ form_id: formId }, asked) => ({
      data: (await listExports(deps, asked, formId)).map(formExport),
    })),
    getExport: answer(api.getFormExport, async ({ form_id: formId, id }, asked) =>
      formExport(await getExport(deps, asked, { formId, id })),
    ),
    deleteExport: answer(api.deleteFormExport, ({ form_id: formId, id }, asked) => deleteExport(deps, asked, { formId, id })),
    readExport: open(clientsWith('submissions:read'), shapes.readExport, async function* ({ form_id: formId, id, head }, asked) {
      const { file, bytes } = await readExport(deps, asked, { formId, id, head });
      yield* partsOf({ file: { name: file.name, content_type: api.exportFormats[file.format], size: file.size }, bytes });
    }),

    getSubmissionDetail: answerAs(api.getSubmissionDetail, async ({ form_id, id }, asked) =>
      submissionDetail(await getSubmission(deps, asked, { formId: form_id, id })),
    ),
    enterSubmission: answerAs(api.addSubmission, async ({ form_id, idempotency_key: idempotencyKey, ...entry }, asked) =>
      submissionDetail(await enterSubmission(deps, asked, { formId: form_id, idempotencyKey, ...entry })),
    ),
    correctSubmission: answerAs(api.correctSubmission, async ({ form_id, ...correction }, asked) =>
      submissionDetail(await correctSubmission(deps, asked, { formId: form_id, ...correction })),
    ),
    listRevisions: answer(api.listSubmissionRevisions, async ({ form_id, ...page }, asked) => {
      const { rows, total, nextCursor } = await listRevisions(deps, asked, { formId: form_id, ...page });
      return { data: rows.map(revision), total, next_cursor: nextCursor ?? null };
    }),
    getRevision: answer(api.getSubmissionRevision, async ({ form_id, ...wanted }, asked) => {
      const found = await getRevision(deps, asked, { formId: form_id, ...wanted });
      return { ...revision(found), schema_version: found.schema_version, data: printed(found.data) };
    }),

    listNotes: answer(api.listSubmissionNotes, async ({ form_id, ...page }, asked) => {
      const { rows, total, nextCursor } = await listNotes(deps, asked, { formId: form_id, ...page });
      return { data: rows.map(note), total, next_cursor: nextCursor ?? null };
    }),
    addNote: answer(api.addSubmissionNote, async ({ form_id, id, text }, asked) =>
      note(await addNote(deps, asked, { formId: form_id, id, text })),
    ),
    updateNote: answer(api.updateSubmissionNote, async ({ form_id, id, note_id, text }, asked) =>
      note(await updateNote(deps, asked, { formId: form_id, id, noteId: note_id, text })),
    ),
    deleteNote: answer(api.deleteSubmissionNote, ({ form_id, id, note_id }, asked) =>
      deleteNote(deps, asked, { formId: form_id, id, noteId: note_id }),
    ),
    assignSubmission: answerAs(api.assignSubmission, async ({ form_id, id, user_id: assignee, if_changed_at }, asked) =>
      submissionDetail(await assignSubmission(deps, asked, { formId: form_id, id, assignee, ifChangedAt: timeAt(if_changed_at) })),
    ),

    changeStatuses: answer(api.updateSubmissionStatuses, async ({ status: to, ...named }, asked) =>
      bulkReply(await changeStatuses(deps, asked, { ...several(named), to })),
    ),
    trashSubmissions: answer(api.trashSubmissions, async (named, asked) => bulkReply(await trashSubmissions(deps, asked, several(named)))),
    restoreSubmissions: answer(api.restoreSubmissions, async (named, asked) =>
      bulkReply(await restoreSubmissions(deps, asked, several(named))),
    ),
    markSubmissionsSpam: answer(api.setSubmissionsSpam, async ({ spam: isSpam, ...named }, asked) =>
      bulkReply(await markManySpam(deps, asked, { ...several(named), isSpam })),
    ),
    startBulkChange: answer(
      api.createBulkChange,
      async (
        { form_id: formId, status = [], filter: filters = [], changed_since: changedSince, new_status, new_assignee, ...wanted },
        asked,
      ) =>
        bulkChange(
          await startBulkChange(deps, asked, {
            ...wanted,
            formId,
            statuses: status.length > 0 ? status : undefined,
            filters,
            changedSince,
            newStatus: new_status,
            newAssignee: new_assignee,
          }),
        ),
    ),
    listBulkChanges: answer(api.listBulkChanges, async ({ form_id: formId }, asked) => ({
      data: (await listBulkChanges(deps, asked, formId)).map(bulkChange),
    })),
    getBulkChange: answer(api.getBulkChange, async ({ form_id: formId, id }, asked) =>
      bulkChange(await getBulkChange(deps, asked, { formId, id })),
    ),
    endBulkChange: answer(api.endBulkChange, async ({ form_id: formId, id }, asked) =>
      bulkChange(await endBulkChange(deps, asked, { formId, id })),
    ),
    undoBulkChange: answer(api.undoBulkChange, async ({ form_id: formId, id }, asked) =>
      bulkChange(await undoBulkChange(deps, asked, { formId, id })),
    ),
    getHistory: answerAs(api.getSubmissionHistory, async ({ form_id, id }, asked) => {
      const { changes, deeds } = await submissionHistory(deps, asked, { formId: form_id, id });
      return { changes: changes.map(statusChange), deeds: deeds.map(submissionDeed) };
    }),
    // A check before publishing a form counts the answers that it affects.
    countAnswers: open(clientsWith('forms:read', 'submissions:read'), shapes.countAnswers, ({ form_id, keys, options }, asked) =>
      countAnswers(deps, asked, { formId: form_id, keys, options }),
    ),
    // The list of forms shows these numbers.
    summarizeForms: open(clientsWith('forms:read', 'submissions:read'), shapes.summarizeForms, async ({ form_ids: formIds }, asked) => ({
      forms: (await summarizeForms(deps, asked, { formIds })).map(({ form_id, total, fresh, spam, last_at }) => ({
        form_id,
        total,
        fresh,
        spam,
        last_submission_at: last_at?.toISOString(),
      })),
    })),
    getInsights: answerAs(
      api.getFormInsights,
      async ({ form_id: formId, field: keys = [], period_only: isPeriodOnly, status: statuses, answer: chosen, ...wanted }, asked) =>
        insights(await getInsights(deps, asked, { formId, keys, isPeriodOnly, statuses, chosen, ...wanted })),
    ),
    listTrash: answerAs(api.listTrashedSubmissions, async ({ form_id, limit, offset, max_bytes: maxBytes }, asked) =>
      listed(await listTrash(deps, asked, { formId: form_id, limit, offset, maxBytes })),
    ),
    restoreSubmission: answer(api.restoreSubmission, async ({ form_id, id }, asked) =>
      wholeSubmission(await restoreSubmission(deps, asked, { formId: form_id, id })),
    ),
    findSubject: answer(api.listSubjectSubmissions, async (wanted, asked) => {
      const { matches, nextCursor, isIndexed } = await findSubject(deps, asked, wanted);
      return { data: matches.map(subjectMatch), next_cursor: nextCursor ?? null, indexed: isIndexed };
    }),
    eraseSubject: answer(api.eraseSubjectSubmissions, async (wanted, asked) => {
      const { erased, erasureIds, heldFormIds, unsearchedFormIds, nextCursor } = await eraseSubject(deps, asked, wanted);
      return {
        erased,
        erasure_ids: erasureIds,
        held_form_ids: heldFormIds,
        unsearched_form_ids: unsearchedFormIds,
        next_cursor: nextCursor ?? null,
      };
    }),
    eraseSubmission: answer(api.eraseSubmission, async ({ form_id, id }, asked) => ({
      erasure_id: await eraseSubmission(deps, asked, { formId: form_id, id }),
    })),
    eraseSubmissions: answer(api.eraseSubmissions, async ({ form_id, submission_ids: ids }, asked) => ({
      erasure_id: await eraseSubmissions(deps, asked, { formId: form_id, ids }),
    })),
    getFormRetention: answerAs(api.getFormRetention, async ({ form_id: formId, days }, asked) =>
      retentionSchedule(await getFormRetention(deps, asked, { formId, days: { ...forEver, ...days } })),
    ),
    getInstanceRetention: answerAs(api.getInstanceRetention, async (_, { caller }) =>
      instanceRetention(await getInstanceRetention(deps, caller)),
    ),
    updateInstanceRetention: answerAs(api.updateInstanceRetention, async ({ patch }, asked) =>
      instanceRetention(await updateInstanceRetention(deps, asked, patch)),
    ),
    listSpam: answerAs(api.listSpamSubmissions, async ({ form_id, limit, offset, max_bytes: maxBytes }, asked) =>
      listed(await listSpam(deps, asked, { formId: form_id, limit, offset, maxBytes })),
    ),
    markSpam: answer(api.setSubmissionSpam, async ({ form_id, id, spam }, asked) => {
      const marked = await markSpam(deps, asked, { formId: form_id, id, isSpam: spam });
      return { ...wholeSubmission(marked), spam_reason: marked.spam_reason ?? undefined, spam_at: marked.spam_at?.toISOString() };
    }),

    getPayment: answer(api.getSubmissionPayment, async ({ form_id, id }, asked) => {
      const { submission_id, amount, currency, state, reference, session_id, created_at, paid_at } = await getPayment(deps, asked, {
        formId: form_id,
        id,
      });
      return {
        submission_id,
        amount,
        currency,
        state,
        provider: 'stripe',
        reference: reference ?? session_id ?? undefined,
        created_at: created_at.toISOString(),
        paid_at: paid_at?.toISOString(),
      };
    }),
    takePaymentEvent: open(['service'], shapes.takePaymentEvent, async (event, asked) => {
      await takePaymentEvent(deps, asked, event);
      return {};
    }),

    readFile: open(clientsWith('submissions:read'), shapes.readFile, async function* ({ form_id, id, head }, asked) {
      yield* partsOf(await readFile(deps, asked, { formId: form_id, id, head }));
    }),
    describeFiles: open(
      ['service'],
      shapes.describeFiles,
      async ({ instance_id: instanceId, form_id: formId, file_ids: fileIds, expires_at: expiresAt, submission_id: id }, { caller }) => {
        if (caller.id !== 'delivery') throw Problem.forbidden('Only delivery may call this operation.');
        const described = await describeFiles(deps, { instanceId, formId, fileIds, expiresAt: new Date(expiresAt) });
        const versionId = id === undefined ? null : await versionIdOf(deps.db, { instanceId, formId, id });
        return { files: described, version_id: versionId ?? undefined };
      },
    ),
    readLinkedFile: open(['respondent'], shapes.readLinkedFile, async function* (wanted, asked) {
      yield* partsOf(await readLinkedFile(deps, asked, wanted));
    }),
  };
}

/** A request that names a form, and perhaps the site whose script asks. */
type NamesForm = { form: string; origin?: string | undefined } | { form_id: string };

const named = (input: NamesForm) => ('form' in input ? { form: input.form, origin: input.origin } : { form: input.form_id });

const several = ({
  form_id: formId,
  submission_ids: ids,
  if_changed_at,
}: {
  form_id: string;
  submission_ids: string[];
  if_changed_at?: string | undefined;
}) => ({
  formId,
  ids,
  ifChangedAt: timeAt(if_changed_at),
});

const timeAt = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const bulkReply = ({ changedAt, ...outcome }: BulkOutcome) => ({ ...outcome, changed_at: changedAt?.toISOString() });

/** The file that a request asks for. */
function wantedFile({
  form_id: formId,
  status,
  statuses,
  changed_since: changedSince,
  exported_by: exportedBy,
  ...wanted
}: Omit<z.output<typeof shapes.exportSubmissions>, 'head'>): Wanted {
  const all = status === undefined ? statuses : [...statuses, status];
  return { ...wanted, formId, statuses: all.length > 0 ? all : undefined, changedSince, exportedBy };
}

/** The description of a file, and then its bytes. */
async function* partsOf({
  file: { name, content_type, size },
  bytes,
}: {
  file: { name: string; content_type: string; size: number };
  bytes?: AsyncIterable<Uint8Array> | undefined;
}) {
  yield { file: { name, content_type, size } };
  if (bytes) for await (const chunk of bytes) yield { bytes: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) };
}

/** A file that arrives, and what is to become of it. */
async function fileToImport(parts: AsyncIterable<z.output<typeof shapes.importFile>>) {
  const arriving = parts[Symbol.asyncIterator]();
  const first = await arriving.next();
  const file = first.done === true ? undefined : first.value.file;
  if (!file) throw Problem.badRequest('file: has to be announced before its bytes');
  const { form_id: formId, match, date_order: dateOrder, idempotency_key: idempotencyKey, only_valid: onlyValid, ...rest } = file;
  return { wanted: { formId, match, dateOrder, idempotencyKey, onlyValid, ...rest, version: file.version }, bytes: bytesOf(arriving) };
}

async function* bytesOf(parts: AsyncIterator<{ bytes?: Buffer }>): AsyncIterable<Buffer> {
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) if (part.value.bytes) yield part.value.bytes;
}
