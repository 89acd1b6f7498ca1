import { authorize, formRole, hasScope, isId, canActOnForm, Problem, type Client, type FormRole } from '@sheaf/kernel';
import { toFormAccess, type Asked, type Client as HooksClient, type HooksDefinition } from '@sheaf/rpc';
import { leaseMs } from '../attempts/claims.queries';
import type { Deps } from '../deps';
import type { Composed } from '../payloads/payloads';
import * as queries from './deliveries.queries';
import type { AttemptRow, DeliveryRow } from './deliveries.queries';

export type ReadingDeps = Pick<Deps, 'db' | 'clock' | 'forms' | 'payloads' | 'settings'>;
export interface AddressDeps {
  webhooks: Pick<HooksClient<HooksDefinition>, 'getWebhookTarget'>;
}

/** A caller's role on a form, and the form's workspace. */
export interface Reader {
  role: FormRole;
  workspaceId: string;
}

/** A page of the form's deliveries, newest first, and their total number. */
export async function listDeliveries(
  deps: ReadingDeps,
  asked: Asked<Client>,
  filter: { formId: string; state: string | undefined; subscriptionId: string | undefined; limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const { role } = await authorizeReading(deps, asked, filter.formId);
  // A malformed id matches nothing.
  if (filter.subscriptionId !== undefined && !isId(filter.subscriptionId)) return { rows: [], total: 0 };

  const { rows, total } = await queries.deliveriesOf(deps.db, deps.clock, filter, filter);
  return { rows: rows.map((row) => ({ ...row, url: urlFor(role, row.wide, row.url) })), total };
}

/** A delivery with its attempts. */
export interface ReadDelivery {
  row: DeliveryRow & Composed;
  attempts: AttemptRow[];
}

/** As a caller sees it: with the bytes of its body if they may read submissions. */
export interface ShownDelivery {
  row: DeliveryRow & { body?: string | undefined };
  attempts: AttemptRow[];
}

/** One delivery with its attempts. @throws Problem `not_found`. */
export async function getDelivery(
  deps: ReadingDeps & AddressDeps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<ShownDelivery> {
  const reader = await authorizeReading(deps, asked, formId);
  return visibleTo(deps, asked, reader, await readDelivery(deps, formId, id));
}

/**
 * Hides parts that the caller may not see: the body contains answers, and the address may contain a secret of the person who set it. A response
 * may repeat both: `Cannot POST /hook/…`.
 */
export async function visibleTo(
  deps: Pick<Deps, 'payloads'> & AddressDeps,
  asked: Asked<Client>,
  reader: Reader,
  { row, attempts }: ReadDelivery,
): Promise<ShownDelivery> {
  const { role } = reader;
  const mayReadAnswers = hasScope(asked.caller, 'submissions:read');
  const body = mayReadAnswers ? (row.body === '' ? '' : await deps.payloads.bodyOf(row)) : undefined;
  const hasResponse = attempts.some(({ response }) => response !== null);
  const showsResponses = mayReadAnswers && hasResponse && (await seesAddress(deps, asked, reader, row));
  return {
    row: { ...row, url: urlFor(role, row.wide, row.url), body },
    attempts: attempts.map((one) => ({
      ...one,
      url: one.url === null ? null : urlFor(role, row.wide, one.url),
      response: showsResponses ? one.response : null,
    })),
  };
}

/** Whether the caller may change the webhook, and so knows its address. `hooks` decides it for those of more than a form. */
async function seesAddress(
  { webhooks }: AddressDeps,
  { call }: Asked<Client>,
  { role, workspaceId }: Reader,
  { wide, subscription_id: id }: DeliveryRow,
): Promise<boolean> {
  if (!wide) return canActOnForm(role, 'change webhooks of this form');
  const mayChange = (scope: { workspace_id?: string }) =>
    webhooks.getWebhookTarget(call, { ...scope, id }).then(
      () => true,
      () => false,
    );
  return (await mayChange({ workspace_id: workspaceId })) || mayChange({});
}

/** The address of a webhook of a workspace or an instance is not for the editors of a form. */
export const urlFor = (role: FormRole, wide: boolean, url: string): string =>
  !wide && canActOnForm(role, 'change webhooks of this form') ? url : new URL(url).origin;

/** Like `getDelivery`, for a caller who is already authorized. @throws Problem `not_found`. */
export async function readDelivery(deps: Omit<ReadingDeps, 'forms' | 'payloads'>, formId: string, id: string): Promise<ReadDelivery> {
  const found = isId(id) ? await queries.deliveryById(deps.db, deps.clock, formId, id) : undefined;
  if (!found) throw Problem.notFound('delivery');

  return { row: found, attempts: await queries.attemptsOf(deps.db, deps.clock, id, leaseMs(deps.settings)) };
}

export async function authorizeReading({ forms }: ReadingDeps, { caller, call }: Asked<Client>, formId: string): Promise<Reader> {
  if (!isId(formId)) throw Problem.notFound('form');
  const form = toFormAccess(await forms.getFormAccess(call, { form_id: formId }));
  const role = formRole(caller, form);
  authorize(role, 'read deliveries of this form');
  return { role, workspaceId: form.workspaceId };
}
