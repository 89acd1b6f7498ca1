import { exportSubmissions, type ExportFormat, type ExportPresetFile, type ExportSubmissionsData } from '@sheaf/client';
import { client } from '../api/client';
import { save } from '../parts/download';
import type { ListQuery } from './list-search';

type ExportQuery = NonNullable<ExportSubmissionsData['query']>;

/** Chunks are handed to the browser in pieces of this size, which it may keep on disk. */
const pieceBytes = 8 * 2 ** 20;

export const formatNames: Readonly<Record<ExportFormat, string>> = { xlsx: 'Excel', csv: 'CSV', ndjson: 'NDJSON', zip: 'ZIP' };

/** A column that a file can have. */
export interface FileColumn {
  /** As in the API. */
  id: string;
  isChosen: boolean;
  /** In place of its usual heading, unless empty. */
  heading: string;
}

/** The key of the question that a column is about. */
export const keyOf = (id: string): string | undefined => (id.startsWith('answers.') ? id.slice('answers.'.length) : undefined);

/** How a file shows the submissions. */
export interface FileLook {
  format: ExportFormat;
  /** The language of the people who read it; for programs, undefined. */
  language: string | undefined;
  /** Undefined: whether it is for people. */
  labels?: boolean | undefined;
  hasOptionColumns: boolean;
  /** Undefined for the usual ones. */
  columns: readonly FileColumn[] | undefined;
  /** Of CSV. */
  delimiter: NonNullable<ExportQuery['delimiter']>;
  hasMark: boolean;
}

/** A file that somebody wants. */
export interface FileWish {
  form: string;
  look: FileLook;
  /** Conditions of the list; empty for everything. */
  query: ListQuery;
}

interface Wanted extends FileWish {
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
}

/** Loads an export and gives it to the browser as a download. An export that breaks off leaves no file behind. */
export async function exportToFile({ form, look, query, onProgress, signal }: Wanted): Promise<void> {
  const response = await exportSubmissions({
    client,
    path: { id: form },
    query: queryOf(look, query),
    signal,
  });
  const file = await asBlob(response.body, response.headers.get('content-type') ?? '', onProgress, signal);
  const address = URL.createObjectURL(file);
  save(address, fileNameIn(response.headers) ?? `submissions.${look.format}`);
  // The browser has taken hold of the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The parameters of an export. A file has an order of its own. */
export const queryOf = (look: FileLook, { sort: _, ...conditions }: ListQuery): ExportQuery => ({ ...conditions, ...parametersOf(look) });

/** Those that the format has; the others are refused. */
export function parametersOf({ format, language, labels, hasOptionColumns, columns, delimiter, hasMark }: FileLook): ExportPresetFile {
  if (format === 'ndjson') return { format };
  const reader = { ...(language === undefined ? {} : { language }), ...(labels === undefined ? {} : { labels }) };
  if (format === 'zip') return { format, ...reader };
  return {
    format,
    ...reader,
    ...(columns === undefined ? {} : { columns: columns.filter(({ isChosen }) => isChosen).map(columnParameter) }),
    ...(hasOptionColumns ? { choices: 'columns' } : {}),
    ...(format === 'csv' ? { delimiter, bom: hasMark } : {}),
  };
}

export const columnParameter = ({ id, heading }: FileColumn): string => (heading.trim() === '' ? id : `${id}:${heading.trim()}`);

async function asBlob(
  body: ReadableStream<Uint8Array>,
  type: string,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const reader = body.getReader();
  let [file, chunks, waiting, total] = [new Blob([], { type }), [] as Uint8Array<ArrayBuffer>[], 0, 0];
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return new Blob([file, ...chunks], { type });
    chunks.push(new Uint8Array(value));
    waiting += value.byteLength;
    total += value.byteLength;
    onProgress(total);
    if (waiting > pieceBytes) [file, chunks, waiting] = [new Blob([file, ...chunks], { type }), [], 0];
  }
}

/** The name in `Content-Disposition`: the exact one, or the one in ASCII. */
export function fileNameIn(headers: Headers): string | undefined {
  const value = headers.get('content-disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(value) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // Then the other one.
  }
  return /filename="((?:[^"\\]|\\.)*)"/.exec(value)?.[1]?.replace(/\\(.)/g, '$1') ?? /filename=([^";]+)/.exec(value)?.[1];
}
