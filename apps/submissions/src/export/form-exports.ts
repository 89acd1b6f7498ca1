import { maxKeptExports, maxUnfinishedExports, type ExportFormat } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, isId, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { storageKey } from '../files/remove-files';
import { isMissing } from '../files/storage/outages';
import { countListed } from '../search/found.queries';
import * as queries from './exports.queries';
import type { Asker, ExportRow } from './exports.queries';
import { needsOfPlan, planOf, type Wanted } from './plan';
import { dayMs } from './run-exports';

const retryAfterSeconds = 60;
/** The state of an export is looked up again at most this long after the last time. */
const lookEveryMs = 1_000;

/** Begins an export that `runExports` makes. @throws Problem `bad_request` as an export, `too_many_requests` */
export async function startExport(deps: Deps, asked: Asked<Client>, wanted: Wanted, name: string): Promise<ExportRow> {
  const { formId, format, statuses } = wanted;
  const workspaceId = await mayRead(deps, asked, formId);
  const plan = await planOf(deps, asked, wanted);
  const id = newId();
  const now = deps.clock.now();
  const { callerKind, callerId } = askerOf(asked, formId);
  await deps.outbox.transaction(async (trx) => {
    const { unfinished, kept } = await queries.countOf(trx, workspaceId);
    if (unfinished >= maxUnfinishedExports)
      throw Problem.tooManyRequests(
        `The workspace has ${maxUnfinishedExports} exports that are waiting or running. Cancel one, or wait until one is ready.`,
        retryAfterSeconds,
      );
    if (kept >= maxKeptExports)
      throw Problem.tooManyRequests(`The workspace has ${maxKeptExports} exports. Delete one, or wait until one goes.`, retryAfterSeconds);
    await queries.insert(trx, {
      id,
      instance_id: asked.caller.instanceId,
      workspace_id: workspaceId,
      form_id: formId,
      caller_kind: callerKind,
      caller_id: callerId,
      format,
      name,
      plan: JSON.stringify(plan),
      needs: needsOfPlan(plan),
      total: plan.filter === undefined ? await countListed(trx, formId, statuses) : null,
      created_at: now,
      // Of one that is not ready by then: two days after, it fails.
      expires_at: new Date(now.getTime() + 2 * dayMs),
    });
    const deed = { action: 'export.started', target: { kind: 'export', id }, workspaceId, formId, details: { format } } as const;
    await record(trx, audited(asked, deed, now));
  });
  return getExport(deps, asked, { formId, id });
}

/** The exports that the caller has asked for. */
export async function listExports(deps: Deps, asked: Asked<Client>, formId: string): Promise<ExportRow[]> {
  await mayRead(deps, asked, formId);
  return queries.listOf(deps.db, askerOf(asked, formId));
}

/** @throws Problem `not_found`, also for the export of another caller */
export async function getExport(deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<ExportRow> {
  await mayRead(deps, asked, formId);
  const found = isId(id) ? await queries.find(deps.db, askerOf(asked, formId), id) : undefined;
  if (!found) throw Problem.notFound('export');
  return found;
}

/** Cancels an export, or deletes the file that it has become. */
export async function deleteExport(deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<void> {
  const workspaceId = await mayRead(deps, asked, formId);
  await deps.outbox.transaction(async (trx) => {
    if (!isId(id) || !(await queries.remove(trx, askerOf(asked, formId), id))) throw Problem.notFound('export');
    const deed = { action: 'export.deleted', target: { kind: 'export', id }, workspaceId, formId } as const;
    await record(trx, audited(asked, deed, deps.clock.now()));
  });
}

const unready: Readonly<Record<ExportRow['state'], string | undefined>> = {
  ready: undefined,
  waiting: 'The export is not ready yet.',
  running: 'The export is not ready yet.',
  failed: 'The export has failed, so it has no file.',
  erased: 'Something of the form was erased after the export was begun, so its file is gone. Begin another export.',
};

/**
 * Reads the file of an export. The data leaves here, so this is the export that the audit log has. With `head` no bytes are read.
 * @throws Problem `not_found`, `conflict` if there is no file
 */
export async function readExport(
  deps: Deps,
  asked: Asked<Client>,
  { head, ...of }: { formId: string; id: string; head: boolean },
): Promise<{ file: { name: string; format: ExportFormat; size: number }; bytes?: AsyncIterable<Uint8Array> }> {
  const workspaceId = await mayRead(deps, asked, of.formId);
  const found = await getExport(deps, asked, of);
  const { state, file_id: fileId, name, format, size } = found;
  const refusal = unready[state];
  if (refusal !== undefined || fileId === null || size === null) throw Problem.conflict(refusal ?? unready.waiting ?? '');
  const file = { name, format, size };
  if (head) return { file };
  const bytes = await deps.files.storage.open(storageKey({ ...found, id: fileId })).catch((error: unknown) => {
    throw isMissing(error) ? Problem.notFound('file') : error;
  });
  const deed = {
    action: 'submissions.exported',
    target: { kind: 'form', id: of.formId },
    workspaceId,
    formId: of.formId,
    details: { format },
  } as const;
  await deps.outbox.transaction((trx) => record(trx, audited(asked, deed, deps.clock.now())));
  return { file, bytes: whileReady(deps, askerOf(asked, of.formId), of.id, bytes) };
}

/**
 * Passes on the bytes only while the export is there: an erasure may take it back while a client reads, and a file that is open can be read on.
 * @throws Problem `conflict`, which cuts the connection
 */
async function* whileReady({ db, clock }: Deps, asker: Asker, id: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let lookedAt = -Infinity;
  for await (const chunk of bytes) {
    if (clock.now().getTime() - lookedAt >= lookEveryMs) {
      const state = (await queries.find(db, asker, id))?.state ?? 'erased';
      if (state !== 'ready') throw Problem.conflict(unready[state] ?? '');
      lookedAt = clock.now().getTime();
    }
    yield chunk;
  }
}

async function mayRead(deps: Deps, asked: Asked<Client>, formId: string): Promise<string> {
  const { role, workspaceId } = await deps.forms.standingOn(formId, asked);
  authorize(role, 'read submissions of this form');
  return workspaceId;
}

const askerOf = ({ caller }: Asked<Client>, formId: string): Asker => ({ formId, callerKind: caller.kind, callerId: caller.id });
