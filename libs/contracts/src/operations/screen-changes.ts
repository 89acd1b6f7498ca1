import { z } from 'zod';
import { described } from '../described';
import { text } from '../shapes';
import { operation } from './operation';

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
export const EventsQuery = z.object({
  last_event_id: described(
    text(1, 100).optional(),
    'The id of the last event that you have received, for clients that cannot send the header `Last-Event-ID`.',
  ),
});

export const receiveEvents = operation({
  method: 'get',
  path: '/app/v1/events',
  summary: 'Receive changes as server-sent events',
  description:
    'Sends changes of the forms that the person has a role on, for screens that show them. An `event: change` says what changed, and never what was answered: its `data` is JSON with `kind` (form, draft, grant, submission, webhook or delivery), `action` (such as created), `form_id` and, for a single submission, `submission_id`. New kinds and actions may be added. At `event: reset`, with which a stream begins, load everything that you show; afterwards, whatever changed. A client that comes back with the id of its last event, in the header `Last-Event-ID` as browsers send it, or as `last_event_id`, continues there, at any copy of the service, without a reset if fewer than several thousand events have passed. An event may arrive twice. A stream ends when the access of the person ends or changes, and after an hour at most; browsers reconnect on their own. A person may have ten streams open.',
  access: 'person',
  query: EventsQuery,
  status: 200,
  errors: [400, 401, 403],
});
