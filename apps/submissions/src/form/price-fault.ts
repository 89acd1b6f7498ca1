import type { Payment } from '@sheaf/contracts';
import { priceFault } from '@sheaf/formulas';
import type { AnswerFault } from '@sheaf/kernel';
import type { Checked } from './answers';

/** The faults of answers; if there are none, that of the price which follows from them. */
export function withPriceFault(checked: Checked, payment: Payment | undefined): readonly AnswerFault[] {
  if (!('answers' in checked) || !payment) return checked.faults;
  const fault = priceFault(payment, checked.answers);
  return fault ? [fault] : [];
}
