import {
  AnswerFilter,
  bool,
  exportFormatNames,
  ExportColumn,
  ExportQuery,
  Field,
  FileQuery,
  IdempotencyKey,
  ImportMatches,
  ImportQuery,
  maxAmount,
  maxItems,
  oneOf,
  submissionStatuses,
  SubmitRequest,
  text,
  whole,
} from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import { bytes, id } from '@sheaf/rpc';
import { z } from 'zod';
import { longestPage } from './list/list.queries';
import { webAddress } from './payments/settings';

// The shape of each method's request, under the name of the method.

const ofForm = z.object({ form_id: id() });
const ofSubmission = ofForm.extend({ id: id() });

const origin = () => text(1, 300).optional();
const savedName = () => bytes().refine(({ length }) => length === 32, 'must have 32 bytes');
/** Room for answers of 1 MiB, and for what a page adds to them. */
const maxSealedBytes = 1_500_000;
const maxSavedFiles = 5_000;
/** No submission has longer answers. */
const sentData = () => bytes().refine(({ length }) => length <= maxSealedBytes, `must have at most ${maxSealedBytes} bytes`);

/** `form` is the id or the slug of a form. */
export const getIntakeForm = z.object({ form: id(), origin: origin(), view: bool() });
/** `data` is JSON, which the intake parses and checks against the form. */
export const submit = SubmitRequest.extend({
  form: id(),
  data: bytes(),
  idempotency_key: IdempotencyKey.optional(),
  origin: origin(),
  return_url: webAddress().max(2_048, 'must have at most 2048 characters').optional(),
  amount_seen: whole(0, maxAmount).optional(),
  saved: savedName().optional(),
  begins: bool(),
  confirmed: bool(),
  checked: bool(),
});
/** Steps that the form does not have are not counted. */
export const countStep = z.object({
  form: id(),
  version: whole(1, 2_147_483_647),
  reached: whole(0, maxItems),
  from: whole(0, maxItems).optional(),
});
export const checkAnswers = z.object({ form: id(), data: bytes(), begins: bool() });
export const getReceipt = ofForm
  .extend({
    id: id().optional(),
    idempotency_key: IdempotencyKey.optional(),
    data: sentData().optional(),
  })
  .refine(({ id, idempotency_key: key }) => (id === undefined) !== (key === undefined), {
    path: ['id'],
    error: 'must be given, or idempotency_key instead',
  });
export const getSavedAnswers = z.object({ form: id(), name: savedName() });
export const saveAnswers = getSavedAnswers.extend({
  sealed: bytes().refine(({ length }) => length <= maxSealedBytes, `must have at most ${maxSealedBytes} bytes`),
  file_ids: z.array(id()).refine((ids) => ids.length <= maxSavedFiles && ids.every(isId), `must be at most ${maxSavedFiles} file ids`),
  begins: bool(),
});
export const uploadFile = z.object({
  file: FileQuery.extend({
    form: id(),
    name: z.string(),
    content_type: z.string(),
    origin: origin(),
  }).nullish(),
  bytes: z.custom<Buffer>((value) => value instanceof Uint8Array).optional(),
});

/** The first message says what is wanted, the others carry the file. */
export const importFile = z.object({
  file: ImportQuery.pick({ date_order: true })
    .extend({
      form_id: id(),
      match: ImportMatches,
      idempotency_key: z.string().max(255),
      version: z.int().optional(),
      only_valid: bool(),
      events: bool(),
    })
    .nullish(),
  bytes: z.custom<Buffer>((value) => value instanceof Uint8Array).optional(),
});

export const readAnswers = ofForm.extend({
  ids: z.array(id()).refine((ids) => ids.length <= longestPage && ids.every(isId), `must be at most ${longestPage} submission ids`),
});
/** `status` comes from an earlier version of the gateway, in place of `statuses`. */
export const exportSubmissions = ExportQuery.pick({
  q: true,
  assignee: true,
  from: true,
  to: true,
  changed_since: true,
  language: true,
  choices: true,
  delimiter: true,
}).extend({
  form_id: id(),
  statuses: z.array(oneOf(submissionStatuses)),
  filters: z.array(AnswerFilter).max(20),
  format: oneOf(exportFormatNames),
  status: oneOf(submissionStatuses).optional(),
  labels: bool(),
  head: bool(),
  origin: origin(),
  exported_by: text(1, 500).optional(),
  bom: bool().optional(),
  columns: z.array(ExportColumn).max(500, 'must be at most 500 columns'),
  people: z.record(z.string(), text(1, 500)),
});

export const startExport = z.object({ wanted: exportSubmissions, name: text(1, 300) });
export const readExport = ofSubmission.extend({ head: bool() });

/** As many keys as a form may have fields, and as many options as a field. */
export const countAnswers = ofForm.extend({
  keys: z.array(Field.shape.key).max(500, 'must be at most 500 keys'),
  options: z
    .array(
      z.object({
        key: Field.shape.key,
        options: z.array(z.string().max(200)).max(1_000, 'must be at most 1000 options'),
      }),
    )
    .max(500, 'must be of at most 500 fields'),
});
/** A page of a list of forms. */
export const summarizeForms = z.object({
  form_ids: z.array(id()).max(100, 'must be at most 100 ids'),
});

export const takePaymentEvent = z.object({ body: bytes(), signature: z.string() });

export const readFile = ofSubmission.extend({ head: bool() });
/** Only services send these ids, so a malformed one is a bug. */
const serviceId = () => id().refine(isId, 'must be an id');
export const describeFiles = z.object({
  instance_id: serviceId(),
  form_id: serviceId(),
  file_ids: z.array(serviceId()),
  expires_at: z.iso.datetime('must be an instant'),
  submission_id: serviceId().optional(),
});
export const readLinkedFile = z.object({ token: id(), head: bool() });
