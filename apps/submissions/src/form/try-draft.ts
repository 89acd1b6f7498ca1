import { dayIn } from '@sheaf/formulas';
import type { AnswerFault, Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { Answers } from './answers';
import { withPriceFault } from './price-fault';

/** The outcome of answers to a draft if it were published. */
export interface DraftTrial {
  faults: readonly AnswerFault[];
  /** The keys of the fields that the answers show. */
  visible: string[];
}

/**
 * Checks answers against the draft of a form, as intake checks them against a version, and stores nothing.
 * @throws Problem `not_found`, `forbidden` for callers who may not change the form
 */
export async function tryDraft(
  { forms, clock }: Pick<Deps, 'forms' | 'clock'>,
  asked: Asked<Client>,
  { formId, answers }: { formId: string; answers: Answers },
): Promise<DraftTrial> {
  const { check, payment, timezone } = await forms.draft(formId, asked);
  const visible: string[] = [];
  const checked = await check(
    answers,
    () => dayIn(timezone, clock.now()),
    (key) => visible.push(key),
  );
  return { faults: withPriceFault(checked, payment), visible };
}
