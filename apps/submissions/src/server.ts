import { ExportQuery, understood } from '@sheaf/contracts';
import { open, type Doors, type SubmissionsDefinition } from '@sheaf/rpc';
import { changeStatus } from './change-status';
import { deleteSubmission } from './delete-submission';
import type { Deps } from './deps';
import { exportSubmissions } from './export-submissions';
import { getPayment } from './get-payment';
import { intakeForm } from './intake-form';
import { getSubmission, listSubmissions } from './read-submissions';
import { takePaymentEvent } from './settle-payment';
import { submit } from './submit';
import type { SubmissionRow } from './submissions.queries';

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
  exportSubmissions: open(['user', 'service_account'], async function* ({ form_id, ...query }, { caller, call }) {
    const { format, status } = understood(ExportQuery, query);
    for await (const data of exportSubmissions(deps, caller, call, { formId: form_id, format, status })) yield { data };
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
});

const submission = (row: SubmissionRow) => ({ ...row, data: Buffer.from(row.data), created_at: row.created_at.toISOString() });
