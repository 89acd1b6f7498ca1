import { downloadFile, downloadLinkedFile, uploadFile } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { forSite } from '../origins/cross-origin';
import { route, type Route } from '../route';
import { Streamed, withTimeout } from '../http/streamed';
import { withFile, type IncomingFile } from '../http/upload';
import { accessHeaders, withAccess } from './access-code';
import { rowOf } from './derived';
import { param, type Services } from './services';
import { whileReadable } from './while-readable';

const asUploaded = { '*/*': { description: 'The file as uploaded. The type is detected from its first bytes.' } };

/** Uploads by respondents, and downloads by people with a role on the form and by whoever has a link from a webhook. */
export const files = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(uploadFile),
    headers: accessHeaders,
    upload: { 'multipart/form-data': { schema: oneFile } },
    handle: ({ streamCall, params, query, request, response }) =>
      withFile(request, (file) =>
        forSite(request, response, (origin) =>
          submissions.uploadFile(
            withAccess(streamCall, request),
            upload({ form: param(params, 'form'), field: query.field, origin }, file),
          ),
        ),
      ),
  }),
  route({
    ...rowOf(downloadFile),
    stream: asUploaded,
    handle: async (context) => {
      const { call, streamCall, params, request } = context;
      const formId = param(params, 'id');
      const file = submissions.readFile(streamCall, { form_id: formId, id: param(params, 'fileId'), head: request.method === 'HEAD' });
      const reading = { ...context, forms, access: downloadFile.access, formId };
      return sent(call, file, (chunks) => whileReadable(chunks, reading));
    },
  }),
  route({
    ...rowOf(downloadLinkedFile),
    stream: asUploaded,
    handle: ({ call, streamCall, params, request }) =>
      sent(call, submissions.readLinkedFile(streamCall, { token: param(params, 'token'), head: request.method === 'HEAD' })),
  }),
];

type Parts = ReturnType<Services['submissions']['readFile']>;

/** The file that a stream begins to describe, and then has. */
export async function sent(
  { deadline }: { deadline: number },
  stream: Parts,
  guarded: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer> = (chunks) => chunks,
): Promise<Streamed> {
  const parts = stream[Symbol.asyncIterator]();
  const first = await withTimeout(deadline - Date.now(), parts.next());
  const metadata = first.done === true ? undefined : first.value.file;
  if (!metadata) throw Problem.internal('the stream of a file did not start with its metadata');
  const { content_type: contentType, name: filename, size } = metadata;
  return new Streamed({ contentType, filename, headers: { 'Content-Length': String(size), ...inertHeaders } }, guarded(bytesOf(parts)));
}

export const oneFile = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file. The name of this part is ignored.' } },
};

/** Files are untrusted. If a browser displays one anyway, nothing in it may run in our origin. */
const inertHeaders = { 'Content-Security-Policy': "sandbox; default-src 'none'", 'Cache-Control': 'private, no-store' };

async function* upload(to: { form: string; field: string; origin: string | undefined }, { name, contentType, bytes }: IncomingFile) {
  yield { file: { ...to, name, content_type: contentType } };
  for await (const chunk of bytes) yield { bytes: chunk };
}

async function* bytesOf(parts: AsyncIterator<{ bytes?: Buffer }>) {
  try {
    for (let part = await parts.next(); part.done !== true; part = await parts.next()) if (part.value.bytes) yield part.value.bytes;
  } finally {
    await parts.return?.();
  }
}
