import { fieldsOf, isAmount, type FormItem, type Payment } from '@sheaf/contracts';
import type { AnswerFault } from '@sheaf/kernel';
import type { Content } from './content-changes';
import { readDraft } from './draft-rules';
import { refusal } from './faults';

/** Parses the stored payment of a draft or version. */
export const readPayment = (json: string | null): Payment | undefined => (json === null ? undefined : (JSON.parse(json) as Payment));

/**
 * Parses a stored draft, by the rules as they are now.
 * @throws Problem `bad_request` that lists the faults
 */
export function readContent({ fields, payment }: { fields: string; payment: string | null }): Content & { fields: FormItem[] } {
  const items = readDraft(fields);
  return { fields: items, payment: checkedPayment(readPayment(payment), items) };
}

/** The payment of a form with these items. @throws Problem `bad_request` that lists the faults */
export function checkedPayment(payment: Payment | undefined, items: readonly FormItem[]): Payment | undefined {
  const faults = paymentFaults(payment, items);
  if (faults.length > 0) throw refusal(faults);
  return payment;
}

/** The faults between a payment and the items from which its amount comes. */
export function paymentFaults(payment: Payment | undefined, items: readonly FormItem[]): AnswerFault[] {
  if (payment?.amount_from === undefined) return [];
  const { amount_from: key, currency } = payment;
  const field = fieldsOf(items).find((each) => each.key === key);
  if (!field || !isAmount(field))
    return [{ key: 'payment.amount_from', message: 'must be the key of a calculated field with the format number or currency' }];
  if (field.currency === undefined || field.currency === currency) return [];
  return [{ key: 'payment.currency', message: `must be ${field.currency}, in which the field "${key}" is calculated` }];
}
