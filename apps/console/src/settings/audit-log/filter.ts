import type { ListAuditEntriesData } from '@sheaf/client';
import { parseActions } from './areas';

/** The filters and the open entry, which are in the address. */
export interface AuditSearch {
  actor?: string | undefined;
  action?: string | undefined;
  form?: string | undefined;
  target?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  entry?: string | undefined;
}

export type AuditQuery = NonNullable<ListAuditEntriesData['query']>;

/** The start of a day of the reader's time zone, or of the one after it; undefined if the text is no day. */
const startOfDay = (text: string | undefined, daysLater: number): string | undefined => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day) + daysLater);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};

/** The filters as the API takes them. The last day counts in full. */
export function asQuery({ actor, action, form, target, from, to }: AuditSearch): AuditQuery {
  const actions = parseActions(action);
  const [start, end] = [startOfDay(from, 0), startOfDay(to, 1)];
  return {
    ...(actor === undefined ? {} : { actor_id: actor }),
    ...(actions.length === 0 ? {} : { action: actions }),
    ...(form === undefined ? {} : { form_id: form }),
    ...(target === undefined ? {} : { target_id: target }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end }),
  };
}
