import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from './deps';
import { countOf } from './subscriptions.queries';

/** To be asked after one was added, with the subscriptions of the form locked: then the bound holds exactly. */
export async function refuseTooMany({ settings }: Pick<Deps, 'settings'>, trx: Transaction, formId: string): Promise<void> {
  const { HOOKS_MAX_PER_FORM: most } = settings;
  if ((await countOf(trx, formId)) > most) throw Problem.badRequest(`The form has ${most} webhooks and subscriptions, which is as many as it may have.`);
}
