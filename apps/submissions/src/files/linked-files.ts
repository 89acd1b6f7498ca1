import { audited, record } from '@sheaf/events';
import { Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { linkTokens, readLinkToken } from './file-links';
import * as files from './files.queries';
import type { FileRow } from './files.queries';
import { storageKey } from './remove-files';

/** The files among these that belong to submissions of the form, each with a token for a link. */
export async function describeFiles(
  { db }: Pick<Deps, 'db'>,
  { instanceId, formId, fileIds, expiresAt }: { instanceId: string; formId: string; fileIds: readonly string[]; expiresAt: Date },
): Promise<(FileRow & { token: string })[]> {
  if (fileIds.length === 0) return [];
  const found = await files.claimedAmong(db, { instanceId, formId, fileIds });
  const tokenOf = await linkTokens(db, expiresAt);
  return found.map((file) => ({ ...file, token: tokenOf({ instanceId, formId, fileId: file.id }) }));
}

/**
 * Reads the file that a link leads to. The download is audited, without a person; with `head` no bytes are read and nothing is recorded.
 * @throws Problem `not_found`, also for a file of another instance or of a submission that was erased; `forbidden` once the link has expired.
 */
export async function readLinkedFile(
  { db, outbox, clock, files: { storage } }: Pick<Deps, 'db' | 'outbox' | 'clock' | 'files'>,
  asked: Asked<Respondent>,
  { token, head }: { token: string; head: boolean },
): Promise<{ file: FileRow; bytes?: AsyncIterable<Uint8Array> }> {
  const { instanceId, formId, fileId } = await readLinkToken({ db, clock }, token);
  const file = instanceId === asked.caller.instanceId ? await files.findClaimed(db, formId, fileId) : undefined;
  if (!file) throw Problem.notFound('file');
  if (head) return { file };
  const deed = { action: 'file.downloaded', target: { kind: 'file', id: fileId }, formId } as const;
  await outbox.transaction((trx) => record(trx, audited(asked, deed, clock.now())));
  return { file, bytes: await storage.open(storageKey(file)) };
}
