import { hangMs } from '@sheaf/testing';
import { documented, anyone } from './people';

export interface Upload {
  name?: string;
  type?: string;
  content?: string | Buffer;
}

/** Uploads a file like a respondent's browser, and checks the response against the OpenAPI document. */
export async function upload(
  form: string,
  field: string,
  { name = 'cv.txt', type = 'text/plain', content = 'hello\n' }: Upload = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const path = `/public/v1/forms/${form}/files?field=${field}`;
  const body = new FormData();
  body.append('file', new Blob([content], { type }), name);
  const response = await fetch(anyone.origin + path, { method: 'POST', body, signal: AbortSignal.timeout(hangMs) });
  const reply: unknown = await response.json();
  await documented.check({
    method: 'POST',
    path,
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: reply,
  });
  return { status: response.status, headers: response.headers, body: reply };
}

/** Uploads a file. @returns its `file_id` */
export async function uploadedFile(form: string, field: string, file: Upload = {}): Promise<string> {
  const { status, body } = await upload(form, field, file);
  if (status !== 201) throw new Error(`uploading answered ${status} ${JSON.stringify(body)}`);
  return (body as { file_id: string }).file_id;
}
