import { answerFault, type AnswerRefusal } from '@sheaf/contracts';
import { clientNetwork, newId, Problem, type Respondent } from '@sheaf/kernel';
import type { Asked, Call } from '@sheaf/rpc';
import { admitted } from '../access-code/admitted';
import type { Deps } from '../deps';
import * as files from './files.queries';
import { intakeForm } from '../form/intake-form';
import { drawingFault } from './drawing';
import { discard, storageKey } from './remove-files';
import { sampleBytes, sniff, takenAs } from './sniff';
import { formClosed } from '../intake/submit';
import { requireRoomForBytes, requireRoomForFile, type Usage } from './upload-limits';

/** The upload as the respondent describes it. */
export interface AnnouncedFile {
  /** The form's id or its slug. */
  form: string;
  /** The key of the field that the file answers. */
  field: string;
  name: string;
  contentType: string;
  /** The site whose script uploads it. */
  origin: string | undefined;
}

export interface Uploaded {
  file_id: string;
  name: string;
  content_type: string;
  size: number;
}

/** Well under one hour, the shortest time before an unclaimed file may be removed, so that no bytes arrive after the cleanup. */
const uploadWithinMs = 30 * 60_000;

const tooSlow = Problem.badRequest('file: took more than 30 minutes to arrive');

/** Time limit for loading the form. The rest of the call takes as long as the respondent's connection needs. */
const loadWithinMs = 5_000;

/**
 * Accepts a file for a field of a form. Once it resolves, the file is fully stored and a submission can claim it. If it rejects, nothing is
 * left of the file, or the next cleanup removes what is left.
 *
 * The row is inserted before the bytes are stored and deleted after they are removed: a process that dies in between leaves a row for
 * cleanup to find.
 * @throws Problem `not_found`, `forbidden` while the form is closed, for a site that it does not admit, or without its access code, `bad_request` for a file that the field does not accept,
 * `payload_too_large` for a file that is too large or exceeds the quota of its form or instance, `too_many_requests` when this address has
 * too many unclaimed files.
 */
export async function uploadFile(
  deps: Deps,
  { caller, call }: Asked<Respondent>,
  announced: AnnouncedFile,
  bytes: AsyncIterable<Buffer>,
): Promise<Uploaded> {
  const shortCall = { ...call, deadline: Math.min(call.deadline, Date.now() + loadWithinMs) };
  await admitted(deps, { caller, call: shortCall }, announced);
  const form = await intakeForm(deps, { caller, call: shortCall }, announced);
  if (form.closedBecause !== undefined) throw formClosed(form);
  const rules = form.fileFields.get(announced.field);
  if (!rules) throw Problem.badRequest('field: must be the key of a file field of this form');

  const file: files.NewFile = {
    id: newId(),
    instance_id: caller.instanceId,
    form_id: form.id,
    field_key: announced.field,
    name: plainName(announced.name),
    address: clientNetwork(call.address) ?? null,
    created_at: deps.clock.now(),
  };
  const used = await beginUpload(deps, file);

  try {
    const { sample, all } = await readSample(bytes);
    if (sample.length === 0) throw refusedFile(announced, 'file: must not be empty', answerFault('file_empty'));
    const shown = await sniff(sample, announced.contentType, file.name);
    const contentType = takenAs(rules.accept, shown);
    if (contentType === undefined)
      throw refusedFile(
        announced,
        `file: must be ${rules.accept?.join(' or ') ?? ''}, but is ${shown}`,
        answerFault('file_type_not_accepted', { types: rules.accept?.join(', ') ?? '' }),
      );

    const max = Math.min(rules.maxBytes ?? Infinity, deps.files.maxBytes);
    const tooLarge = new Problem('payload_too_large', `file: must have at most ${max} bytes`, {
      details: [{ key: announced.field, ...answerFault('file_too_large', { max }) }],
    });
    const limited = limitBytes(deps, call, { max, tooLarge, used }, all);
    const whole = rules.isDrawing ? drawn(announced, limited.bytes) : limited.bytes;
    await deps.files.storage.put(storageKey(file), whole);
    const size = limited.size();
    await completeUpload(deps, file, { contentType, size });
    return { file_id: file.id, name: file.name, content_type: contentType, size };
  } catch (error) {
    await discard(deps, file).catch((failure: unknown) =>
      deps.files.log.warn({ err: failure, file: file.id }, 'removing a rejected upload failed, will retry later'),
    );
    throw error;
  }
}

/** The details name the field, so that a page can show the fault there, in the respondent's language. */
const refusedFile = ({ field }: AnnouncedFile, message: string, fault: AnswerRefusal): Problem =>
  Problem.badRequest(message, [{ key: field, ...fault }]);

/** The picture of a signature is small, and looked at as a whole before any of it is stored. */
async function* drawn(announced: AnnouncedFile, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const picture = Buffer.concat(chunks);
  const fault = await drawingFault(picture);
  if (fault) throw refusedFile(announced, `file: ${fault.message}`, fault);
  yield picture;
}

/** Locks no counter, because the upload may take a long time. Several uploads may therefore begin when there is room for only one. */
function beginUpload({ db, files: { limits } }: Deps, file: files.NewFile): Promise<Usage> {
  return db.transaction(async (trx) => {
    await files.lockNetwork(trx, file.address);
    const used = await files.usageOf(trx, file, file.created_at);
    requireRoomForFile(used, limits, file.created_at);
    requireRoomForBytes(used, limits, 1, file.created_at);
    await files.insert(trx, file);
    return used;
  });
}

/** When several uploads end and there is room for only one, only one succeeds. */
function completeUpload(
  { db, clock, files: { limits } }: Deps,
  file: files.NewFile,
  stored: { contentType: string; size: number },
): Promise<void> {
  return db.transaction(async (trx) => {
    const now = clock.now();
    await files.lockNetwork(trx, file.address);
    if (!(await files.complete(trx, file.id, { ...stored, now })))
      throw Problem.unavailable('the upload took so long that its file was marked for removal');
    requireRoomForBytes(await files.usageOf(trx, file, now), limits, 0, now);
  });
}

/** The last segment of a name that may be a path, without characters that could mean something to a terminal, a header or a file system. */
export function plainName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  // Cut by code points, so that no surrogate pair is split.
  return /^\.*$/.test(plain) ? 'file' : Array.from(plain).slice(0, 255).join('');
}

/** Reads a sample of the first bytes; `all` still yields the whole file. */
async function readSample(bytes: AsyncIterable<Buffer>): Promise<{ sample: Buffer; all: AsyncIterable<Buffer> }> {
  const rest = bytes[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  for (let length = 0; length < sampleBytes;) {
    const next = await rest.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  async function* all() {
    yield* first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  }
  return { sample: Buffer.concat(first).subarray(0, sampleBytes), all: all() };
}

/** Counts bytes as they pass. Ends an upload that is too large, exceeds a quota, is too slow, or whose sender has disconnected. */
function limitBytes(
  { clock, files: { limits } }: Deps,
  { signal }: Call,
  { max, tooLarge, used }: { max: number; tooLarge: Problem; used: Usage },
  bytes: AsyncIterable<Buffer>,
): { bytes: AsyncIterable<Buffer>; size: () => number } {
  const until = clock.now().getTime() + uploadWithinMs;
  let size = 0;
  async function* counted() {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > max) throw tooLarge;
      requireRoomForBytes(used, limits, size, clock.now());
      if (clock.now().getTime() > until) throw tooSlow;
      yield chunk;
    }
    // A truncated file must not pass as complete, and a file must not complete after cleanup may have removed it.
    signal?.throwIfAborted();
    if (clock.now().getTime() > until) throw tooSlow;
  }
  return { bytes: counted(), size: () => size };
}
