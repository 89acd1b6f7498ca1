import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as payments from './payments.queries';
import type { PaymentRow } from './payments.queries';
import * as submissions from '../submission/submissions.queries';

/** What has become of the payment of a submission. @throws Problem `not_found` also for a submission that cost nothing. */
export async function getPayment({ db, forms }: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<PaymentRow> {
  const role = await forms.roleOn(formId, asked);
  const found = isId(id) ? await submissions.find(db, formId, id) : undefined;
  if (!found) throw Problem.notFound('submission');
  authorize(role, 'read submissions of this form');
  const payment = await payments.paymentOf(db, id);
  if (!payment) throw Problem.notFound('payment');
  return payment;
}
