import { Readable } from 'node:stream';
import { answerTraits, fileIdsIn, referenceOf } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';
import { makeZip } from 'client-zip';
import type { ClaimedFile } from '../files/files.queries';
import type { FieldLabels } from '../form/forms-view';
import type { ExportedRow } from './batches.queries';
import { byteOrderMark, linesOf } from './csv';
import { momentIn, type Zone } from './dated';
import { safeName, UniqueNames } from './safe-names';
import type { Cell } from './table';
import type { ExportWords, FileProblem } from './words';

/** The directory at the end of an archive names every file, and is all that the memory of an export holds: docs/decisions/0063-uploaded-files-as-a-zip.md. */
const maxFiles = 50_000;
/** Lines of an index, which is complete only after the files. Longer ones are continued in another. */
const maxIndexLines = 50_000;

const root = 'files/';

export interface Archive {
  /** The fields of any version, by key. */
  fields: ReadonlyMap<string, FieldLabels>;
  zone: Zone;
  /** Those of the reader; undefined for programs. */
  words: ExportWords | undefined;
  /** Whether questions have their labels in place of keys. */
  hasLabels: boolean;
  /** The files of these submissions. */
  filesOf: (submissionIds: readonly string[]) => Promise<readonly ClaimedFile[]>;
  /** The bytes of a file; undefined if there are none any more. */
  open: (file: ClaimedFile) => Promise<AsyncIterable<Uint8Array> | undefined>;
  maxFiles?: number;
  maxIndexLines?: number;
}

/**
 * A ZIP (APPNOTE 6.3, with ZIP64 where sizes need it) of the files that answers name, a folder for each submission, and an index of them as CSV.
 * The bytes are stored as they are: most uploads are compressed already. A file that is missing has a line in the index. An archive that broke
 * off has no directory at its end, and no program opens it.
 */
export async function* archive(about: Archive, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<Uint8Array> {
  const entries = entriesOf(about, batches);
  const zip = makeZip(entries).getReader();
  try {
    for (let chunk = await zip.read(); !chunk.done; chunk = await zip.read()) yield chunk.value;
  } finally {
    // Cancelling throws into the library's generator, which passes that on.
    await zip.cancel().catch(() => undefined);
    await entries.return(undefined);
  }
}

interface Entry {
  name: string;
  lastModified: Date;
  input: AsyncIterable<Uint8Array>;
}

async function* entriesOf(about: Archive, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<Entry | { name: string }> {
  // First, so that readers have something from an archive whose first file is far away.
  yield { name: root };
  const index = new Index(about);
  const folders = new UniqueNames();
  let left = about.maxFiles ?? maxFiles;
  for await (const batch of batches) {
    const filesOf = bySubmission(await about.filesOf(batch.map(({ id }) => id)));
    for (const submission of batch) {
      const named = namedFiles(submission, filesOf.get(submission.id) ?? [], about.fields);
      if (named.length === 0) continue;
      const names = new UniqueNames();
      let folder: string | undefined;
      for (const { key, id, file } of named) {
        const bytes = file === undefined || left === 0 ? undefined : await about.open(file);
        if (file === undefined || bytes === undefined) {
          index.add(submission, { key, id, file, path: undefined, problem: left === 0 && file !== undefined ? 'beyond' : 'missing' });
          continue;
        }
        left -= 1;
        folder ??= folders.of(folderOf(submission, about.zone));
        const path = `${root}${folder}/${names.of(safeName(file.name))}`;
        let size = 0;
        try {
          yield { name: path, lastModified: wallTime(submission, about.zone), input: counting(bytes, (length) => (size += length)) };
        } finally {
          // Of a reader who left in the middle of it.
          if (bytes instanceof Readable) bytes.destroy();
        }
        index.add(submission, { key, id, file, path, problem: size === file.size ? undefined : 'incomplete' });
      }
    }
    if (index.isFull) yield index.take();
  }
  yield index.take();
}

function bySubmission(files: readonly ClaimedFile[]): ReadonlyMap<string, ClaimedFile[]> {
  const found = new Map<string, ClaimedFile[]>();
  for (const file of files) found.set(file.submission_id, [...(found.get(file.submission_id) ?? []), file]);
  return found;
}

interface NamedFile {
  key: string;
  id: string;
  /** Undefined if nothing is known of it. */
  file: ClaimedFile | undefined;
}

/** The files that the answers name now: those that a correction has replaced are left out, as in other exports. */
function namedFiles({ data }: ExportedRow, files: readonly ClaimedFile[], fields: ReadonlyMap<string, FieldLabels>): NamedFile[] {
  const known = new Map(files.map((file) => [file.id, file]));
  const keys = new Set(files.map(({ field_key }) => field_key));
  for (const [key, { kind }] of fields) if (kind !== undefined && answerTraits(kind).hasFiles) keys.add(key);
  if (keys.size === 0) return [];
  const answers = JSON.parse(data) as Record<string, unknown>;
  return [...keys].flatMap((key) => {
    // `constructor` is a valid key.
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
    // The question may have taken texts in an earlier version.
    return fileIdsIn(answer)
      .filter((id) => known.has(id) || isId(id))
      .map((id) => ({ key, id, file: known.get(id) }));
  });
}

const folderOf = ({ id, created_at }: ExportedRow, zone: Zone): string =>
  `${new Date(zone.wallTime(created_at.getTime())).toISOString().slice(0, 10)} ${referenceOf(id)}`;

/** The times of a ZIP have no zone, and the library takes those of the process. */
function wallTime({ created_at }: ExportedRow, zone: Zone): Date {
  const wall = new Date(zone.wallTime(created_at.getTime()));
  return new Date(
    wall.getUTCFullYear(),
    wall.getUTCMonth(),
    wall.getUTCDate(),
    wall.getUTCHours(),
    wall.getUTCMinutes(),
    wall.getUTCSeconds(),
  );
}

async function* counting(bytes: AsyncIterable<Uint8Array>, note: (length: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    note(chunk.byteLength);
    // An empty chunk would end the file.
    if (chunk.byteLength > 0) yield chunk;
  }
}

type Line = NamedFile & { path: string | undefined; problem: FileProblem | undefined };

/** Tells of each file which submission and question it belongs to, where it is in the archive, and if it is not, why. */
class Index {
  private readonly parts: Buffer[] = [];
  private rows: Cell[][] = [];
  private lines = 0;
  private written = 0;

  constructor(private readonly about: Archive) {}

  get isFull(): boolean {
    return this.lines >= (this.about.maxIndexLines ?? maxIndexLines);
  }

  add({ id, created_at }: ExportedRow, { key, id: fileId, file, path, problem }: Line): void {
    const { words, fields, zone, hasLabels } = this.about;
    const label = hasLabels ? fields.get(key)?.label : undefined;
    this.lines += 1;
    this.rows.push([
      referenceOf(id),
      id,
      words === undefined ? created_at.toISOString() : momentIn(zone, created_at),
      label ?? key,
      path,
      file?.name ?? fileId,
      file?.content_type,
      file?.size,
      problem === undefined ? undefined : (words?.index[problem] ?? problem),
    ]);
    if (this.rows.length === 500) this.pack();
  }

  /** The lines since the last time. */
  take(): Entry {
    this.pack();
    const { words, hasLabels } = this.about;
    const heading = words !== undefined && hasLabels ? headingsIn(words) : headings;
    const parts = [Buffer.from(`${byteOrderMark}${linesOf([heading])}`), ...this.parts.splice(0)];
    this.lines = 0;
    this.written += 1;
    const name = this.written === 1 ? 'index.csv' : `index-${this.written}.csv`;
    return { name, lastModified: new Date(), input: Readable.from(parts) };
  }

  /** Strings stay in memory until the next full collection. */
  private pack(): void {
    if (this.rows.length > 0) this.parts.push(Buffer.from(linesOf(this.rows)));
    this.rows = [];
  }
}

const headings = ['reference', 'submission_id', 'created_at', 'question', 'path', 'name', 'content_type', 'size', 'problem'] as const;

function headingsIn({ columns, index }: ExportWords): string[] {
  const { question, path, name, type, bytes, problem } = index;
  return [columns.reference, columns.submission_id, columns.created_at, question, path, name, type, bytes, problem];
}
