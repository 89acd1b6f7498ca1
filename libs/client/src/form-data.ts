/** A file whose content is not in memory. Cannot be sent by browsers over HTTP/1.1, and is never sent twice. */
export interface StreamedFile {
  stream: AsyncIterable<Uint8Array>;
  name: string;
  /** The media type. */
  type?: string;
}

/** A body as `fetch` takes it. */
export interface EncodedBody {
  body: string | Blob | FormData | ReadableStream<Uint8Array>;
  /** If `fetch` cannot tell. */
  contentType?: string;
}

/** Passed with the operations that take a form, so that only these need this file. */
export const formDataBodySerializer = { encodeBody };

function encodeBody(body: Record<string, string | Blob | StreamedFile>): EncodedBody {
  const entries = Object.entries(body);
  if (entries.some(([, value]) => isStreamed(value))) return streamedForm(entries);
  const form = new FormData();
  for (const [name, value] of entries) if (!isStreamed(value)) form.append(name, value);
  return { body: form };
}

const isStreamed = (value: string | Blob | StreamedFile): value is StreamedFile =>
  typeof value === 'object' && 'stream' in value && !(value instanceof Blob);

/** As `fetch` would encode the form, but one chunk after the other. */
function streamedForm(entries: [string, string | Blob | StreamedFile][]): EncodedBody {
  const boundary = `sheaf-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const text = new TextEncoder();

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const [name, value] of entries) {
      yield text.encode(`--${boundary}\r\ncontent-disposition: form-data; name="${quotable(name)}"${fileHeaders(value)}\r\n\r\n`);
      yield* contentOf(value);
      yield text.encode('\r\n');
    }
    yield text.encode(`--${boundary}--\r\n`);
  }
  return { body: streamOf(chunks()), contentType: `multipart/form-data; boundary=${boundary}` };

  async function* contentOf(value: string | Blob | StreamedFile): AsyncGenerator<Uint8Array> {
    if (typeof value === 'string') yield text.encode(value);
    else if (isStreamed(value)) yield* value.stream;
    else yield new Uint8Array(await value.arrayBuffer());
  }
}

function fileHeaders(value: string | Blob | File | StreamedFile): string {
  if (typeof value === 'string') return '';
  const name = 'name' in value ? value.name : 'blob';
  const type = value.type === '' ? undefined : value.type;
  return `; filename="${quotable(name)}"\r\ncontent-type: ${type ?? 'application/octet-stream'}`;
}

/** As the HTML standard encodes names in forms. */
const quotable = (name: string) => name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** Not `ReadableStream.from`, which Chromium does not have. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
