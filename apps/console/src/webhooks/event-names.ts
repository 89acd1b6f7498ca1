import type { HookEvent } from '@sheaf/client';
import type { Words } from '../words/words';

/** The events that a webhook can be created for. The contract names a fourth, `submission.updated`, but never sends it. */
export const sentEvents = ['submission.created', 'submission.status_changed', 'submission.deleted'] as const satisfies readonly HookEvent[];

export function eventName(event: string, say: Words['webhooks']): string {
  const names: Record<string, string> = {
    'submission.created': say.created,
    'submission.status_changed': say.statusChanged,
    'submission.deleted': say.deleted,
    'submission.updated': say.updated,
  };
  return names[event] ?? event;
}
