import { authorize, formRole, isId, Problem, type Client } from '@sheaf/kernel';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import { leaseMs } from './attempt';
import { interrupted } from './attempt.queries';
import * as queries from './deliveries.queries';
import type { AttemptRow, DeliveryRow } from './deliveries.queries';
import type { Deps } from './deps';

type Needed = Pick<Deps, 'db' | 'clock' | 'forms' | 'settings'>;

/** A page of the form's deliveries, the newest first, and how many there are in all. */
export async function listDeliveries(
  deps: Needed,
  asked: Asked<Client>,
  wanted: { formId: string; state: string | undefined; subscriptionId: string | undefined; limit: number; offset: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  await authorizeReading(deps, asked, wanted.formId);
  // What cannot be an id is nobody's: a list of nothing.
  if (wanted.subscriptionId !== undefined && !isId(wanted.subscriptionId)) return { rows: [], total: 0 };

  const { rows, total } = await queries.deliveriesOf(deps.db, wanted, wanted);
  return { rows: rows.map((row) => asOf(row, deps.clock.now())), total };
}

/** A delivery with its attempts and its body. */
export interface ShownDelivery {
  row: DeliveryRow & { body: string };
  attempts: AttemptRow[];
}

/** One delivery with its attempts and its body. @throws Problem `not_found`. */
export async function getDelivery(deps: Needed, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<ShownDelivery> {
  await authorizeReading(deps, asked, formId);
  return readDelivery(deps, formId, id);
}

/** The same for whoever may. @throws Problem `not_found`. */
export async function readDelivery(deps: Omit<Needed, 'forms'>, formId: string, id: string): Promise<ShownDelivery> {
  const found = isId(id) ? await queries.deliveryById(deps.db, formId, id) : undefined;
  if (!found) throw Problem.notFound('delivery');

  const now = deps.clock.now();
  const attempts = await queries.attemptsOf(deps.db, id);
  // What is stored of an attempt under way is what will be true if it is lost; so far nothing is known of it.
  const mayEnd = new Date(now.getTime() - leaseMs(deps.settings));
  const outcomes = attempts.map((row) => (row.error === interrupted && row.started_at > mayEnd ? { ...row, error: null } : row));
  return { row: asOf(found, now), attempts: outcomes };
}

async function authorizeReading({ forms }: Needed, { caller, call }: Asked<Client>, formId: string): Promise<void> {
  if (!isId(formId)) throw Problem.notFound('form');
  authorize(formRole(caller, toFormAccess(await forms.getFormAccess(call, { form_id: formId }))), 'read deliveries of this form');
}

const isUnderWay = ({ busy_until }: DeliveryRow, now: Date): boolean => busy_until !== null && busy_until > now;

/** The next attempt of one that is under way depends on how it ends. */
export const asOf = <Row extends DeliveryRow>(row: Row, now: Date): Row => (isUnderWay(row, now) ? { ...row, next_attempt_at: null } : row);
