import { nameInFormData, Problem } from '@sheaf/kernel';
import busboy, { type Busboy } from 'busboy';
import type { Request } from 'express';
import { PassThrough, type Readable } from 'node:stream';

/** A file as the browser announces it; the name and type are claims. */
export interface PostedFile {
  /** The name of its control. */
  control: string;
  name: string;
  contentType: string;
  bytes: AsyncIterable<Buffer>;
}

/** The controls of a page as the browser sent them, except files. */
export class Posted {
  constructor(private readonly fields: ReadonlyMap<string, readonly string[]>) {}

  get(name: string): string | undefined {
    return this.fields.get(name)?.[0];
  }

  all(name: string): readonly string[] {
    return this.fields.get(name) ?? [];
  }

  entries(): Iterable<readonly [string, readonly string[]]> {
    return this.fields;
  }
}

/** As much as the answers of one submission may have, and as much again for what travels along with them. */
const maxBytes = 2 * 1_048_576;
const maxFields = 5_000;
const maxFiles = 60;
/** How long a browser may pause. */
const idleMs = 30_000;

/**
 * The radio buttons of a row of a matrix have a name of their own, by which browsers take them for one choice. Their values name row and column. Those
 * in an item of a repeat have none.
 */
const withoutRow = (name: string): string => (/^a\.[^.]*\[\d+\]\./.test(name) ? name : name.replace(/^(a\.[^.]*)\.[^]*$/, '$1'));

/**
 * Reads the body of a page's form. Each file is handed over while it arrives.
 * @param onFile must read the file to its end or fail; it is called for files that have a name.
 * @throws Problem `payload_too_large`, `bad_request` for a body that is not a form.
 */
export async function readPosted(request: Request, onFile: (file: PostedFile) => Promise<void>): Promise<Posted> {
  const form = parserOf(request);
  const fields = new Map<string, string[]>();
  const uploads: Promise<void>[] = [];
  let size = 0;

  const finished = new Promise<void>((resolve, reject) => {
    const tooLarge = () => reject(new Problem('payload_too_large', `The answers must have at most ${maxBytes} bytes.`));
    const notAForm = () => reject(Problem.badRequest('The body is not a valid form.'));
    form.on('field', (name: string | undefined, value: string | undefined, { nameTruncated, valueTruncated }) => {
      // The parser leaves out a name that is missing, and a text in a charset that it does not know. An error thrown here would end the process.
      if (name === undefined || value === undefined) return notAForm();
      size += name.length + Buffer.byteLength(value);
      if (nameTruncated || valueTruncated || size > maxBytes) return tooLarge();
      // Browsers write each line break as CR LF; a text is stored with the one that every other client uses.
      const text = value.replaceAll('\r\n', '\n');
      const question = withoutRow(name);
      const known = fields.get(question);
      if (known) known.push(text);
      else fields.set(question, [text]);
    });
    form.on('file', (control: string | undefined, bytes: Readable, { filename, mimeType }: { filename?: string; mimeType: string }) => {
      // The reader of the file sees its error; without a reader it must not end the process.
      bytes.on('error', () => undefined);
      // A control without a file sends an empty one without a name.
      if (control === undefined || filename === undefined || filename === '') {
        bytes.resume();
        return;
      }
      const upload = onFile({ control, name: nameInFormData(filename), contentType: mimeType, bytes: chunksOf(bytes) }).finally(() =>
        discard(bytes),
      );
      // A failure is reported once the rest has been read.
      upload.catch(() => undefined);
      uploads.push(upload);
    });
    for (const limit of ['fieldsLimit', 'partsLimit', 'filesLimit'] as const) form.on(limit, tooLarge);
    form.on('error', notAForm);
    form.once('close', () => resolve());
    request.once('close', () => {
      if (request.complete) return;
      form.destroy(new Error('The request was cut off.'));
    });
  });

  request.setTimeout(idleMs, () => request.destroy());
  request.once('end', () => request.setTimeout(0));
  request.pipe(form);
  try {
    await finished;
    await Promise.all(uploads);
    return new Posted(fields);
  } finally {
    request.unpipe(form);
    form.destroy();
    request.resume();
  }
}

/** The content of a file. It is read through another stream, because one whose iterator ended early does not always flow again. */
async function* chunksOf(bytes: Readable): AsyncGenerator<Buffer, void, undefined> {
  const passed = bytes.pipe(new PassThrough());
  bytes.once('error', (error) => passed.destroy(error));
  try {
    yield* passed as AsyncIterable<Buffer>;
  } finally {
    discard(bytes);
  }
}

/** Reads the rest of a file that its reader does not want: the form ends only after all of its files. */
function discard(bytes: Readable): void {
  bytes.unpipe();
  bytes.resume();
}

function parserOf({ headers }: Request): Busboy {
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: { fieldSize: maxBytes, fields: maxFields, files: maxFiles, parts: maxFields + maxFiles, fieldNameSize: 200 },
    });
  } catch {
    throw Problem.badRequest('Content-Type: must be multipart/form-data or application/x-www-form-urlencoded');
  }
}
