import { clientNetwork, newId, Problem, type Respondent } from '@sheaf/kernel';
import type { Asked, Call } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as files from './files.queries';
import { intakeForm } from '../form/intake-form';
import { discard, storageKey } from './remove-files';
import { accepts, sampleBytes, sniff } from './sniff';
import { closed } from '../intake/submit';
import { refuseMoreBytes, refuseMoreFiles, type Used } from './upload-limits';

/** What a respondent says of a file. */
export interface Announced {
  /** The form's id or its slug. */
  form: string;
  /** The key of the field that it is for. */
  field: string;
  name: string;
  contentType: string;
}

export interface Uploaded {
  file_id: string;
  name: string;
  content_type: string;
  size: number;
}

/** Far less than the hour after which a file may be given up, so that no bytes arrive where nobody looks for them any more. */
const uploadWithinMs = 30 * 60_000;

const tooSlow = Problem.badRequest('file: took more than 30 minutes to arrive');

/** How long it may take to learn about the form. The rest of the call takes as long as the respondent's connection does. */
const askWithinMs = 5_000;

/**
 * Takes a file for a field of a form. When it resolves the file is stored whole and can be claimed by a submission; when it rejects,
 * nothing of it is left, or will be after the next clearing up.
 *
 * The row comes before the bytes, and goes after them: a process that dies in between leaves a row, which is found and cleared up.
 * @throws Problem `not_found`, `forbidden` while the form is closed, `bad_request` for a file that the field does not take,
 * `payload_too_large` for a file that is too large or has no room in its form or instance, `too_many_requests` when too many files of
 * this address wait to be claimed.
 */
export async function uploadFile(
  deps: Deps,
  { caller, call }: Asked<Respondent>,
  given: Announced,
  bytes: AsyncIterable<Buffer>,
): Promise<Uploaded> {
  const soon = { ...call, deadline: Math.min(call.deadline, Date.now() + askWithinMs) };
  const form = await intakeForm(deps, { caller, call: soon }, { form: given.form });
  if (!form.open) throw closed(form);
  const rules = form.fileFields.get(given.field);
  if (!rules) throw Problem.badRequest('field: must be the key of a field of this form that takes a file');

  const file: files.NewFile = {
    id: newId(),
    instance_id: caller.instanceId,
    form_id: form.id,
    field_key: given.field,
    name: plainName(given.name),
    address: clientNetwork(call.address) ?? null,
    created_at: deps.clock.now(),
  };
  const used = await begin(deps, file);

  try {
    const { sample, all } = await startOf(bytes);
    if (sample.length === 0) throw Problem.badRequest('file: must not be empty');
    const contentType = await sniff(sample, given.contentType, file.name);
    if (!accepts(rules.accept, contentType))
      throw Problem.badRequest(`file: must be ${rules.accept?.join(' or ') ?? ''}, and is ${contentType}`);

    const counted = counting(deps, call, { max: Math.min(rules.maxBytes ?? Infinity, deps.files.maxBytes), used }, all);
    await deps.files.storage.put(storageKey(file), counted.bytes);
    const size = counted.size();
    await complete(deps, file, { contentType, size });
    return { file_id: file.id, name: file.name, content_type: contentType, size };
  } catch (error) {
    await discard(deps, file).catch((failure: unknown) =>
      deps.files.log.warn({ err: failure, file: file.id }, 'a file that was refused is left for the next clearing up'),
    );
    throw error;
  }
}

/** Locks no counter, for the bytes take their time. So several uploads may begin where there is room for one. */
function begin({ db, files: { limits } }: Deps, file: files.NewFile): Promise<Used> {
  return db.transaction(async (trx) => {
    await files.lockNetwork(trx, file.address);
    const used = await files.used(trx, file, file.created_at);
    refuseMoreFiles(used, limits, file.created_at);
    refuseMoreBytes(used, limits, 1, file.created_at);
    await files.begin(trx, file);
    return used;
  });
}

/** Of several uploads that end where there is room for one, one gets it. */
function complete(
  { db, clock, files: { limits } }: Deps,
  file: files.NewFile,
  stored: { contentType: string; size: number },
): Promise<void> {
  return db.transaction(async (trx) => {
    const now = clock.now();
    await files.lockNetwork(trx, file.address);
    if (!(await files.complete(trx, file.id, { ...stored, now }))) throw Problem.unavailable('an upload took so long that it was given up');
    refuseMoreBytes(await files.used(trx, file, now), limits, 0, now);
  });
}

/** The last part of what may be a path, without what could mean anything to a terminal, a header or a file system. */
export function plainName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  // By characters and not by their halves.
  return /^\.*$/.test(plain) ? 'file' : Array.from(plain).slice(0, 255).join('');
}

/** The first bytes, and all of them. */
async function startOf(bytes: AsyncIterable<Buffer>): Promise<{ sample: Buffer; all: AsyncIterable<Buffer> }> {
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

/** Counts the bytes as they pass, and ends an upload that is too large, finds no room, is too slow, or comes from somebody who is gone. */
function counting(
  { clock, files: { limits } }: Deps,
  { signal }: Call,
  { max, used }: { max: number; used: Used },
  bytes: AsyncIterable<Buffer>,
): { bytes: AsyncIterable<Buffer>; size: () => number } {
  const until = clock.now().getTime() + uploadWithinMs;
  let size = 0;
  async function* counted() {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > max) throw new Problem('payload_too_large', `file: must have at most ${max} bytes`);
      refuseMoreBytes(used, limits, size, clock.now());
      if (clock.now().getTime() > until) throw tooSlow;
      yield chunk;
    }
    // What was cut off must not pass for the whole, nor what comes after the file may have been given up.
    signal?.throwIfAborted();
    if (clock.now().getTime() > until) throw tooSlow;
  }
  return { bytes: counted(), size: () => size };
}
