import type { Request } from 'express';
import { nameInFormData, Problem } from '@sheaf/kernel';
import busboy, { type Busboy } from 'busboy';

/** A file during its upload. The name and type are the client's claims. */
export interface IncomingFile {
  name: string;
  contentType: string;
  /** Read as fast as it is iterated. It ends when the whole request has been read, and throws if the request was invalid. */
  bytes: AsyncIterable<Buffer>;
}

/** How long a client may pause. */
export const idleMs = 30_000;

/**
 * Reads a multipart/form-data request with exactly one file. Other fields are ignored.
 * @param handle processes the file. Once it settles, the rest of the request is discarded.
 * @throws Problem `bad_request` for any other request.
 */
export async function withFile<T>(request: Request, handle: (file: IncomingFile) => Promise<T>): Promise<T> {
  const form = parser(request);
  const { file, end } = read(request, form);
  try {
    return await handle(await file);
  } finally {
    end();
  }
}

function parser({ headers }: Request): Busboy {
  try {
    if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) throw new Error('another type');
    return busboy({ headers, defParamCharset: 'utf8', limits: { parts: 100 } });
  } catch {
    throw Problem.badRequest('Content-Type: must be multipart/form-data with a boundary');
  }
}

function read(request: Request, form: Busboy): { file: Promise<IncomingFile>; end: () => void } {
  let count = 0;
  let failure: Problem | undefined;
  const finished = new Promise<void>((resolve) => form.once('close', () => resolve()));

  const file = new Promise<IncomingFile>((resolve, reject) => {
    form.on('file', (_field, stream, { filename, mimeType }: { filename: string | undefined; mimeType: string }) => {
      // The stream may fail while nothing reads it. A reader still sees the error.
      stream.on('error', () => undefined);
      count++;
      if (count > 1) {
        stream.resume();
        return;
      }
      async function* bytes() {
        try {
          for await (const chunk of stream) yield chunk as Buffer;
        } catch (error) {
          throw failure ?? error;
        }
        await finished;
        if (failure) throw failure;
        if (count > 1) throw Problem.badRequest('file: must be a single file');
      }
      resolve({ name: nameInFormData(filename ?? ''), contentType: mimeType, bytes: bytes() });
    });
    // `on` instead of `once`, because destroying the parser emits another error.
    form.on('error', () => {
      failure ??= Problem.badRequest('The body is not valid multipart/form-data.');
      reject(failure);
      // The parser would continue after some errors.
      form.destroy();
    });
    void finished.then(() => reject(failure ?? Problem.badRequest('file: is required')));
  });

  const onCutOff = () => {
    failure ??= Problem.badRequest('The request was cut off.');
    form.destroy(failure);
  };
  if (request.destroyed) onCutOff();
  request.once('close', () => {
    if (!request.complete) onCutOff();
  });
  request.setTimeout(idleMs, () => request.destroy());
  request.once('end', () => request.setTimeout(0));
  request.pipe(form);

  const end = () => {
    request.unpipe(form);
    form.destroy();
    // The rest of a rejected file is discarded. application.ts limits how long it may still arrive.
    request.resume();
  };
  return { file, end };
}
