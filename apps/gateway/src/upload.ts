import type { Request } from 'express';
import { Problem } from '@sheaf/kernel';
import busboy, { type Busboy } from 'busboy';

/** A file while it arrives. Name and type are what the client says. */
export interface Incoming {
  name: string;
  contentType: string;
  /** Read as fast as it is iterated. It ends when the whole request has been read, and throws if that was not one file. */
  bytes: AsyncIterable<Buffer>;
}

/** How long a client may send nothing at all. */
const idleMs = 30_000;
/**
 * Reads a request of multipart/form-data that has one file; fields beside it are ignored.
 * @param handle what becomes of the file. When it is done, with or without having read everything, the rest of the request is let go.
 * @throws Problem `bad_request` for any other request.
 */
export async function withFile<T>(request: Request, handle: (file: Incoming) => Promise<T>): Promise<T> {
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

function read(request: Request, form: Busboy): { file: Promise<Incoming>; end: () => void } {
  let count = 0;
  let failure: Problem | undefined;
  const whole = new Promise<void>((resolve) => form.once('close', () => resolve()));

  const file = new Promise<Incoming>((resolve, reject) => {
    form.on('file', (_field, stream, { filename, mimeType }: { filename: string | undefined; mimeType: string }) => {
      // Nobody may be reading when it breaks off; who reads learns of it.
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
        await whole;
        if (failure) throw failure;
        if (count > 1) throw Problem.badRequest('file: must be one file');
      }
      resolve({ name: filename ?? '', contentType: mimeType, bytes: bytes() });
    });
    // For good: what is destroyed half-way tells of it as well.
    form.on('error', () => {
      failure ??= Problem.badRequest('The body cannot be read as multipart/form-data.');
      reject(failure);
      // Of some faults it only tells, and would go on.
      form.destroy();
    });
    void whole.then(() => reject(failure ?? Problem.badRequest('file: is required')));
  });

  const brokenOff = () => {
    failure ??= Problem.badRequest('The request broke off.');
    form.destroy(failure);
  };
  if (request.destroyed) brokenOff();
  request.once('close', () => {
    if (!request.complete) brokenOff();
  });
  request.setTimeout(idleMs, () => request.destroy());
  request.once('end', () => request.setTimeout(0));
  request.pipe(form);

  const end = () => {
    request.unpipe(form);
    form.destroy();
    // Nobody wants the rest of a file that was refused; for how long it may still come is for the route to say.
    request.resume();
  };
  return { file, end };
}
