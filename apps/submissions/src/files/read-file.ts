import { audited, record } from '@sheaf/events';
import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as files from './files.queries';
import type { FileRow } from './files.queries';
import { storageKey } from './remove-files';

/**
 * Reads a submission's file, even if the submission is in the trash or spam. The download is audited; with `head` no bytes are read and
 * nothing is recorded.
 * @throws Problem `not_found` if the file belongs to no submission of this form.
 */
export async function readFile(
  { db, outbox, clock, forms, files: { storage } }: Deps,
  asked: Asked<Client>,
  { formId, id, head }: { formId: string; id: string; head: boolean },
): Promise<{ file: FileRow; bytes?: AsyncIterable<Uint8Array> }> {
  const { role, workspaceId } = await forms.standingOn(formId, asked);
  const file = isId(id) ? await files.findClaimed(db, formId, id) : undefined;
  if (!file) throw Problem.notFound('file');
  authorize(role, 'read submissions of this form');
  if (head) return { file };
  const deed = { action: 'file.downloaded', target: { kind: 'file', id }, workspaceId, formId } as const;
  await outbox.transaction((trx) => record(trx, audited(asked, deed, clock.now())));
  return { file, bytes: await storage.open(storageKey(file)) };
}
