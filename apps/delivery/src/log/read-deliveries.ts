import { authorize, formRole, hasScope, isId, canActOnForm, Problem, type Client, type FormRole } from '@sheaf/kernel';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import { leaseMs } from '../attempts/attempt';
import * as queries from './deliveries.queries';
import type { AttemptRow, DeliveryRow } from './deliveries.queries';
import type { Deps } from '../deps';
import type { Composed } from '../payloads/payloads';

export type ReadingDeps = Pick<Deps, 'db' | 'clock' | 'forms' | 'payloads' | 'settings'>;

/** A page of the form's deliveries, newest first, and their total number. */
export async function listDeliveries(
  deps: ReadingDeps,
  asked: Asked<Client>,
  filter: { formId: string; state: string | undefined; subscriptionId: string | undefined; limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const role = await authorizeReading(deps, asked, filter.formId);
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
  deps: ReadingDeps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<ShownDelivery> {
  const role = await authorizeReading(deps, asked, formId);
  return visibleTo(deps, asked.caller, role, await readDelivery(deps, formId, id));
}

/** Hides parts that the caller may not see: the body contains answers, and the address may contain a secret of the person who set it. */
export async function visibleTo(
  { payloads }: Pick<Deps, 'payloads'>,
  caller: Client,
  role: FormRole,
  { row, attempts }: ReadDelivery,
): Promise<ShownDelivery> {
  const body = hasScope(caller, 'submissions:read') ? (row.body === '' ? '' : await payloads.bodyOf(row)) : undefined;
  return {
    row: { ...row, url: urlFor(role, row.wide, row.url), body },
    attempts: attempts.map((one) => ({ ...one, url: one.url === null ? null : urlFor(role, row.wide, one.url) })),
  };
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

export async function authorizeReading({ forms }: ReadingDeps, { caller, call }: Asked<Client>, formId: string): Promise<FormRole> {
  if (!isId(formId)) throw Problem.notFound('form');
  const role = formRole(caller, toFormAccess(await forms.getFormAccess(call, { form_id: formId })));
  authorize(role, 'read deliveries of this form');
  return role;
}
