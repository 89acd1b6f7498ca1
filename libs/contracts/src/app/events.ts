import { z } from 'zod';
import { text } from '../shapes';

export const changedKinds = ['form', 'draft', 'grant', 'submission', 'webhook', 'delivery'] as const;

/** A change, without its content. `action` says what happened, such as `created`. */
export const ScreenChange = z.object({
  kind: z.enum(changedKinds),
  action: z.string(),
  form_id: z.string(),
  submission_id: z.string().optional(),
});

export type ScreenChange = z.output<typeof ScreenChange>;

/**
 * In place of the header `Last-Event-ID`, for clients that cannot set it. The header is described in words only: as a parameter, generators of
 * clients would give both the same name.
 */
export const EventsQuery = z.object({ last_event_id: text(1, 100).optional() });
