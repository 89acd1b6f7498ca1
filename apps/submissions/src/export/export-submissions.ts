import { audited, record } from '@sheaf/events';
import { authorize, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { planOf, type Wanted } from './plan';
import { writeExport } from './write-export';

/** Time limit for the calls to other services. The export itself takes as long as the client reads. */
const callWithinMs = 5_000;

/**
 * Exports the list, or what a search of it finds, as a file. Submissions that arrive after it began are left out, unless those since a time
 * are wanted. A submission that is trashed or changes status in the meantime appears as it was when the export reached it. With `head` no data
 * is sent, so nothing is recorded.
 */
export async function* exportSubmissions(
  deps: Deps,
  asked: Asked<Client>,
  { head, ...wanted }: Wanted & { head: boolean },
): AsyncGenerator<Uint8Array> {
  const { formId, format } = wanted;
  const call = {
    ...asked.call,
    deadline: Math.min(asked.call.deadline, Date.now() + callWithinMs),
  };
  const { role, workspaceId } = await deps.forms.standingOn(formId, { ...asked, call });
  authorize(role, 'read submissions of this form');
  const plan = await planOf(deps, { ...asked, call }, wanted);
  if (head) return;
  // Recorded at the start: a client that disconnects half-way keeps the data received until then.
  const deed = {
    action: 'submissions.exported',
    target: { kind: 'form', id: formId },
    workspaceId,
    formId,
    details: { format },
  } as const;
  await deps.outbox.transaction((trx) => record(trx, audited(asked, deed, deps.clock.now())));

  yield* writeExport(deps, plan, deps.clock.now(), () => undefined);
}
