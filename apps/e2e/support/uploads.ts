import { documented, anyone } from './people';

export interface Sent {
  name?: string;
  type?: string;
  content?: string | Buffer;
}

/** Sends a file as a respondent's browser does; checks the answer against the OpenAPI document. */
export async function upload(
  form: string,
  field: string,
  { name = 'cv.txt', type = 'text/plain', content = 'hello\n' }: Sent = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const path = `/public/v1/forms/${form}/files?field=${field}`;
  const body = new FormData();
  body.append('file', new Blob([content], { type }), name);
  const response = await fetch(anyone.origin + path, { method: 'POST', body, signal: AbortSignal.timeout(10_000) });
  const answer: unknown = await response.json();
  await documented.check({
    method: 'POST',
    path,
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: answer,
  });
  return { status: response.status, headers: response.headers, body: answer };
}

/** @returns its `file_id` */
export async function uploadedFile(form: string, field: string, sent: Sent = {}): Promise<string> {
  const { status, body } = await upload(form, field, sent);
  if (status !== 201) throw new Error(`uploading answered ${status} ${JSON.stringify(body)}`);
  return (body as { file_id: string }).file_id;
}
