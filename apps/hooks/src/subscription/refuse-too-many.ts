import { Problem } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from '../deps';
import { countOf, type WebhookScope } from './subscriptions.queries';

/** Call this after inserting a subscription, while those of its scope are locked, so that the limit is exact. */
export async function refuseTooMany({ settings }: Pick<Deps, 'settings'>, trx: Transaction, scope: WebhookScope): Promise<void> {
  const { HOOKS_MAX_PER_FORM: max } = settings;
  if ((await countOf(trx, scope)) <= max) return;
  const what = scope.formId !== undefined ? 'form' : scope.workspaceId !== undefined ? 'workspace' : 'instance';
  throw Problem.badRequest(`The ${what} already has ${max} webhooks and subscriptions, the maximum.`);
}
