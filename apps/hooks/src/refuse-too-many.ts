import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from './deps';
import { countOf } from './subscriptions.queries';

/** Call this after inserting a subscription, while the form's subscriptions are locked, so that the limit is exact. */
export async function refuseTooMany({ settings }: Pick<Deps, 'settings'>, trx: Transaction, formId: string): Promise<void> {
  const { HOOKS_MAX_PER_FORM: max } = settings;
  if ((await countOf(trx, formId)) > max) throw Problem.badRequest(`The form already has ${max} webhooks and subscriptions, the maximum.`);
}
