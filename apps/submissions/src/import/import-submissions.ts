import { createHash } from 'node:crypto';
import {
  FieldList,
  fieldsOf,
  isComputed,
  importLimits,
  type DateOrder,
  type ImportColumn,
  type ImportPreview,
  type SubmissionImport,
} from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, formRole, newId, Problem, type Client, type FormAccess } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { asHeard, mayGoOn } from '../bulk/entitlement';
import type { Deps } from '../deps';
import { submissionsKeptSince } from '../erasing/kept-since';
import { letBeyond } from '../exact/exact.queries';
import { exactRefusal } from '../exact/refusals';
import type { PublishedForm } from '../form/forms-view';
import { lockList } from '../list/blocks.queries';
import { submissionCreated } from '../submission/events';
import type { Breath } from './breath';
import { checkRows, type CheckedRows, type ValidRow } from './checked-rows';
import * as queries from './imports.queries';
import type { ImportRow } from './imports.queries';
import { withoutRepeated } from './repeated-rows';
import { matchingOf, nameOf, type Matching } from './matching';
import { readFile, type FileTable } from './read-file';
import type { Turns } from './turns';

interface Wanted {
  formId: string;
  match: readonly string[];
  dateOrder: DateOrder | undefined;
}

interface WantedImport extends Wanted {
  idempotencyKey: string;
  version: number | undefined;
  onlyValid: boolean;
  events: boolean;
}

type ImportDeps = Deps & { importTurns: Turns };

/** Tells what an import of the file would do. @throws Problem `bad_request` for a file that cannot be read */
export async function previewImport(
  deps: ImportDeps,
  asked: Asked<Client>,
  wanted: Wanted,
  file: AsyncIterable<Buffer>,
): Promise<ImportPreview> {
  const form = await importingForm(deps, asked, wanted.formId);
  return deps.importTurns.keepPlace(senderOf(asked), async (turn) => {
    const bytes = await collected(deps, file);
    return turn(async (breath) => {
      const { table, matching, checked } = await readRows(deps, { form, asked, breath }, wanted, bytes);
      const { format, encoding, delimiter, sheet } = table;
      return {
        format,
        ...(encoding !== undefined && { encoding }),
        ...(delimiter !== undefined && { delimiter }),
        ...(sheet !== undefined && { sheet }),
        source: matching.known.source,
        version: form.version,
        rows: table.rows.length,
        valid: checked.valid.length,
        columns: await columnsOf(table, matching, breath),
        missing: checked.missing,
        ...(checked.unasked.length > 0 && { unasked: checked.unasked }),
        faults: checked.faults,
        fault_count: checked.faultCount,
      };
    });
  });
}

/**
 * Stores the rows of a file as entries of the caller, all in one transaction: a process that dies leaves none of them, and a repeat finds all. They
 * are checked like those of a respondent. As for an entry, neither the form's closing nor its limit nor a full option refuses them, and no payment is due.
 * @throws Problem `bad_request` for a file that cannot be read, or with faults if not only the valid rows are wanted; `conflict` if the form has
 * another version than the one that was previewed
 */
export async function importSubmissions(
  deps: ImportDeps,
  asked: Asked<Client>,
  wanted: WantedImport,
  file: AsyncIterable<Buffer>,
): Promise<SubmissionImport> {
  const form = await importingForm(deps, asked, wanted.formId);
  return deps.importTurns.keepPlace(senderOf(asked), async (turn) => {
    const bytes = await collected(deps, file);
    const key = `${asked.caller.kind} ${asked.caller.id} ${wanted.idempotencyKey}`;
    const sent = { key, fingerprint: fingerprintOf(bytes, wanted) };
    // First, because the form may have changed since then so that the rows would be refused now.
    const earlier = await queries.findImport(deps.db, form.id, key);
    if (earlier) return repeated(earlier, sent.fingerprint);
    if (wanted.version !== undefined && wanted.version !== form.version)
      throw Problem.conflict(`The form has version ${form.version} by now, not ${wanted.version}. Preview the file again.`);
    return turn(async (breath) => {
      const { checked } = await readRows(deps, { form, asked, breath }, wanted, bytes);
      refuseFaulty(checked, wanted.onlyValid);
      return store(deps, asked, { form, checked, events: wanted.events, ...sent });
    });
  });
}

const senderOf = ({ caller, call }: Asked<Client>) => ({ instanceId: caller.instanceId, signal: call.signal });

interface Checked {
  form: PublishedForm;
  checked: CheckedRows;
  events: boolean;
  key: string;
  fingerprint: Buffer;
}

async function store(deps: Deps, asked: Asked<Client>, { form, checked, events, key, fingerprint }: Checked): Promise<SubmissionImport> {
  const { caller } = asked;
  const access = await accessStill(deps, asked, form);
  const now = deps.clock.now();
  const row: ImportRow = {
    id: newId(),
    instance_id: caller.instanceId,
    form_id: form.id,
    key,
    fingerprint,
    caller_kind: caller.kind,
    caller_id: caller.id,
    imported: checked.valid.length,
    left_out: checked.invalid,
    events,
    created_at: now,
  };
  const isStored = await deps.outbox
    .transaction(async (trx) => {
      await lockList(trx, form.id);
      await letBeyond(trx, 'places');
      if (!(await queries.insertImport(trx, row))) return false;
      // The token of the caller is as old as the request.
      const heard = await asHeard(trx, caller, now);
      authorize(mayGoOn(heard, access) ? formRole(heard, access) : undefined, 'change submissions of this form');
      if (await queries.isErased(trx, form.id)) throw Problem.notFound('form');
      for (const part of partsOf(checked.valid)) {
        const submissions = part.map(({ data, createdAt, language }) => ({ id: newId(), data, created_at: createdAt ?? now, language }));
        await queries.storeImported(trx, submissions, {
          importId: row.id,
          instanceId: caller.instanceId,
          formId: form.id,
          version: form.version,
          versionId: form.versionId ?? null,
          by: caller,
          announcedAt: events ? now : null,
        });
        const announced = submissions.map((one) => ({ ...one, form_id: form.id, schema_version: form.version }));
        if (events) await record(trx, ...announced.map((one) => submissionCreated(caller.instanceId, one, now, asked.call)));
      }
      const deed = {
        action: 'submissions.imported',
        target: { kind: 'form', id: form.id },
        workspaceId: access.workspaceId,
        formId: form.id,
        details: { count: row.imported },
      } as const;
      await record(trx, audited(asked, deed, now));
      return true;
    })
    .catch((error: unknown) => {
      const refused = exactRefusal(error);
      throw refused
        ? Problem.conflict(`data.${refused.key}: another submission has got an answer of the file meanwhile. Preview the file again.`)
        : error;
    });
  if (isStored) return { ...resultOf(row), faults: checked.faults };
  const first = await queries.findImport(deps.db, form.id, key);
  if (!first) throw Problem.unavailable('an import with this key was stored but is gone');
  return repeated(first, fingerprint);
}

/** @throws Problem `not_found` if the form was never published or is in the trash, `forbidden` */
async function importingForm(deps: Deps, asked: Asked<Client>, formId: string): Promise<PublishedForm> {
  authorize(await deps.forms.roleOn(formId, asked), 'change submissions of this form');
  return deps.forms.published(formId, asked);
}

/**
 * Looks again after the file has arrived and waited for its turn: the form may be gone by then, or published anew. The copy of it that this process
 * has may be half a minute old, so `forms` itself is asked, right before the transaction, which must not hold the list while another service answers.
 * @throws Problem `not_found`, `conflict`
 */
async function accessStill({ forms }: Deps, asked: Asked<Client>, { id, version, versionId }: PublishedForm): Promise<FormAccess> {
  const { isTrashed, ...access } = await forms.accessNow(id, asked);
  if (isTrashed) throw Problem.notFound('form');
  const latest = await forms.versionNow(id, asked);
  if (latest.version !== version || latest.versionId !== versionId)
    throw Problem.conflict('The form was published anew while the file was read. Preview the file again.');
  return access;
}

/** Within this and the time for reading a file, the caller's token counts, with which `forms` is asked again. A client may pause for less. */
const arrivesWithinMs = 60_000;

async function collected({ clock }: Deps, file: AsyncIterable<Buffer>): Promise<Buffer> {
  const until = clock.now().getTime() + arrivesWithinMs;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file) {
    size += chunk.length;
    if (size > importLimits.bytes) throw new Problem('payload_too_large', `The file must have at most ${importLimits.bytes} bytes.`);
    if (clock.now().getTime() > until) throw Problem.badRequest(`file: took more than ${arrivesWithinMs / 1_000} s to arrive`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readRows(
  deps: Deps,
  { form, asked, breath }: { form: PublishedForm; asked: Asked<Client>; breath: Breath },
  { match, dateOrder }: Wanted,
  bytes: Buffer,
): Promise<{ table: FileTable; matching: Matching; checked: CheckedRows }> {
  const table = await readFile(bytes, importLimits, breath);
  // The column of a calculated field is not taken: its answer is computed.
  const fields = fieldsOf(FieldList.parse(JSON.parse(form.fields.toString()))).filter((field) => !isComputed(field));
  const matching = await matchingOf(table, fields, match, breath);
  const keptSince = await submissionsKeptSince(deps, { formId: form.id, instanceId: asked.caller.instanceId });
  const rows = await checkRows(table, matching, { form, dateOrder, clock: deps.clock, keptSince, breath });
  await deps.exact.current(form, asked);
  const checked = await withoutRepeated(deps.db, form, rows);
  return { table, matching, checked };
}

/** The file, and all that decides what becomes of it. */
const fingerprintOf = (bytes: Buffer, { match, dateOrder, onlyValid, events }: WantedImport): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([[...match].sort(), dateOrder ?? null, onlyValid, events]))
    .update(bytes)
    .digest();

/** Without the faults, as they may have what people typed, of which nothing is kept. */
function repeated(row: ImportRow, fingerprint: Buffer): SubmissionImport {
  if (!row.fingerprint.equals(fingerprint))
    throw Problem.badRequest('Idempotency-Key: was already used for another file, or with other parameters');
  return { ...resultOf(row), faults: [] };
}

const resultOf = ({ id, imported, left_out, events, created_at }: ImportRow): Omit<SubmissionImport, 'faults'> => ({
  id,
  imported,
  left_out,
  events,
  created_at: created_at.toISOString(),
});

function refuseFaulty({ valid, faults: [first], faultCount }: CheckedRows, onlyValid: boolean): void {
  if (first && (!onlyValid || valid.length === 0)) {
    const place = [`row ${first.row}`, first.heading ?? first.key ?? []].flat().join(', ');
    throw Problem.badRequest(`file: ${place}: ${first.message}${faultCount > 1 ? ` (and ${faultCount - 1} more)` : ''}`);
  }
  if (valid.length === 0) throw Problem.badRequest('file: has no row to import');
}

const rowsAtOnce = 500;
const bytesAtOnce = 4 * 1_024 * 1_024;

/** As many rows as one statement stores. */
function* partsOf(rows: readonly ValidRow[]): Generator<ValidRow[]> {
  let part: ValidRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (part.length === rowsAtOnce || (part.length > 0 && bytes + row.data.length > bytesAtOnce)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += row.data.length;
  }
  if (part.length > 0) yield part;
}

const samplesShown = 3;
const longestSample = 100;

async function columnsOf(table: FileTable, { targets, proposed }: Matching, breath: Breath): Promise<ImportColumn[]> {
  const columns: ImportColumn[] = [];
  for (const [index, heading] of table.headings.entries()) {
    await breath.take();
    const samples = new Set<string>();
    let filled = 0;
    for (const { cells } of table.rows) {
      const text = (cells[index] ?? '').trim();
      if (text === '') continue;
      filled += 1;
      if (samples.size < samplesShown) samples.add(text.slice(0, longestSample).toWellFormed());
    }
    const [target, usual] = [targets[index], proposed[index]];
    columns.push({
      number: index + 1,
      heading,
      samples: [...samples],
      filled,
      target: target ? nameOf(target) : 'nothing',
      proposed: usual ? nameOf(usual) : 'nothing',
    });
  }
  return columns;
}
