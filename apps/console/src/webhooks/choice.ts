import type { WebhookEvent, SubmissionStatus, Webhook, WebhookRequest } from '@sheaf/client';
import type { SimpleCondition } from '../builder/model/conditions';

/** The filter and the chosen fields as the dialog has them. */
export interface Choice {
  statuses: readonly string[];
  conditions: readonly { key: number; condition: SimpleCondition }[];
  /** Undefined for the answers to all questions. */
  fields: readonly string[] | undefined;
}

export const choiceOf = (webhook: Webhook | undefined): Choice => ({
  statuses: webhook?.filter?.statuses ?? [],
  conditions: (webhook?.filter?.answers ?? []).map((condition, key) => ({ key, condition })),
  fields: webhook?.fields ?? undefined,
});

const eventsWithStatus: readonly WebhookEvent[] = [
  'submission.status_changed',
  'submission.restored',
  'submission.corrected',
  'submission.spam_changed',
];

/** Whether all of these events tell a status. */
export const onlyWithStatus = (events: readonly WebhookEvent[]) =>
  events.length > 0 && events.every((event) => eventsWithStatus.includes(event));

export const onlyIs = (events: readonly WebhookEvent[], event: WebhookEvent) => events.length === 1 && events[0] === event;

/** A filter only where it can decide: about the status if all events tell one, and about the answers of a new submission. */
const filterIn = ({ statuses, conditions }: Choice, events: readonly WebhookEvent[]): WebhookRequest['filter'] => {
  if (onlyWithStatus(events) && statuses.length > 0) return { statuses: statuses as SubmissionStatus[] };
  if (onlyIs(events, 'submission.created') && conditions.length > 0) return { answers: conditions.map(({ condition }) => condition) };
  return null;
};

/** The parts of the choice that differ from those of the webhook, so that nothing is asked of a server that does not know them. */
export function wantedChoice(choice: Choice, events: readonly WebhookEvent[], webhook: Webhook | undefined) {
  const filter = filterIn(choice, events);
  const fields = choice.fields === undefined ? null : [...choice.fields];
  const isOther = (now: unknown, before: unknown) => JSON.stringify(now) !== JSON.stringify(before ?? null);
  return { ...(isOther(filter, webhook?.filter) && { filter }), ...(isOther(fields, webhook?.fields) && { fields }) };
}
