import type { WebhookEvent } from '@sheaf/client';
import type { Words } from '../words/words';

/** The events that a webhook can be created for. The contract names one more, `submission.updated`, but never sends it. */
export const sentEvents = [
  'submission.created',
  'submission.status_changed',
  'submission.corrected',
  'submission.deleted',
  'submission.restored',
  'submission.spam_changed',
] as const satisfies readonly WebhookEvent[];

export function eventName(event: string, say: Words['webhooks']): string {
  const names: Record<string, string> = {
    'submission.created': say.created,
    'submission.status_changed': say.statusChanged,
    'submission.deleted': say.deleted,
    'submission.updated': say.updated,
    'submission.restored': say.restored,
    'submission.corrected': say.corrected,
    'submission.spam_changed': say.spamChanged,
  };
  return names[event] ?? event;
}
