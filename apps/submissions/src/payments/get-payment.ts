import { Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as payments from './payments.queries';
import type { PaymentRow } from './payments.queries';
import { getSubmission } from '../submission/read-submissions';

/** The state of a submission's payment. @throws Problem `not_found` also for a submission that was free. */
export async function getPayment(deps: Deps, asked: Asked<Client>, submission: { formId: string; id: string }): Promise<PaymentRow> {
  const { id } = await getSubmission(deps, asked, submission);
  const payment = await payments.paymentOf(deps.db, id);
  if (!payment) throw Problem.notFound('payment');
  return payment;
}
