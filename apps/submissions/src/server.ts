import { Problem } from '@sheaf/kernel';
import { open, type Doors, type SubmissionsDefinition } from '@sheaf/rpc';
import { changeStatus } from './change-status';
import { deleteSubmission } from './delete-submission';
import type { Deps } from './deps';
import { getPayment } from './get-payment';
import { intakeForm } from './intake-form';
import { readFile } from './read-file';
import { getSubmission, listSubmissions } from './read-submissions';
import { takePaymentEvent } from './settle-payment';
import { submit } from './submit';
import type { SubmissionRow } from './submissions.queries';
import { uploadFile } from './upload-file';

/** The service's doors: who may knock, and the translation between messages and use cases. */
export const doors = (deps: Deps): Doors<SubmissionsDefinition> => ({
  getIntakeForm: open(['respondent'], async ({ form }, { caller, call }) => {
    const { id, title, version, fields, payment, open: isOpen, opensAt, closesAt, closedMessage } = await intakeForm(deps, caller, call, { form });
    return {
      id,
      title,
      version,
      fields,
      payment,
      open: isOpen,
      opens_at: opensAt?.toISOString(),
      closes_at: closesAt?.toISOString(),
      closed_message: closedMessage,
    };
  }),
  submit: open(['respondent'], async ({ form, data, idempotency_key }, { caller, call }) => {
    const { submission, paymentUrl } = await submit(deps, caller, call, { form, data, idempotencyKey: idempotency_key });
    const { id, form_id, status, created_at } = submission;
    return { id, form_id, status, created_at: created_at.toISOString(), payment_url: paymentUrl };
  }),
  uploadFile: open(['respondent'], async (parts, { caller, call }) => {
    const arriving = parts[Symbol.asyncIterator]();
    const first = await arriving.next();
    const file = first.done === true ? undefined : first.value.file;
    if (!file) throw Problem.badRequest('file: has to be announced before its bytes');
    return uploadFile(deps, caller, call, { form: file.form, field: file.field, name: file.name, contentType: file.content_type }, bytesOf(arriving));
  }),

  listSubmissions: open(['user', 'service_account'], async ({ form_id, limit, offset, status }, { caller, call }) => {
    const { rows, total } = await listSubmissions(deps, caller, call, { formId: form_id, limit, offset, status });
    return { submissions: rows.map(submission), total };
  }),
  getSubmission: open(['user', 'service_account'], async ({ form_id, id }, { caller, call }) =>
    submission(await getSubmission(deps, caller, call, { formId: form_id, id })),
  ),
  changeStatus: open(['user', 'service_account'], async ({ form_id, id, status }, { caller, call }) =>
    submission(await changeStatus(deps, caller, call, { formId: form_id, id, to: status })),
  ),
  deleteSubmission: open(['user', 'service_account'], async ({ form_id, id }, { caller, call }) => {
    await deleteSubmission(deps, caller, call, { formId: form_id, id });
    return {};
  }),

  getPayment: open(['user', 'service_account'], async ({ form_id, id }, { caller, call }) => {
    const { submission_id, amount, currency, state, reference, session_id, created_at, paid_at } = await getPayment(deps, caller, call, { formId: form_id, id });
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
  takePaymentEvent: open(['service'], async (event) => {
    await takePaymentEvent(deps, event);
    return {};
  }),

  readFile: open(['user', 'service_account'], async function* ({ form_id, id }, { caller, call }) {
    const { file, bytes } = await readFile(deps, caller, call, { formId: form_id, id });
    yield { file: { name: file.name, content_type: file.content_type, size: file.size } };
    for await (const chunk of bytes) yield { bytes: chunk };
  }),
});

async function* bytesOf(parts: AsyncIterator<{ bytes?: Buffer }>): AsyncIterable<Buffer> {
  for (let part = await parts.next(); part.done !== true; part = await parts.next()) if (part.value.bytes) yield part.value.bytes;
}

const submission = (row: SubmissionRow) => ({ ...row, data: Buffer.from(row.data), created_at: row.created_at.toISOString() });
