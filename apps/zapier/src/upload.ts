import FormData from 'form-data';
import type { ZObject } from 'zapier-platform-core';
import { dataOf, instanceUrl, path, type Connection } from './api.js';

/** Uploads the file at a URL, which Zapier made of the mapped file, for a field of the form. @returns the field's answer */
export async function upload(
  z: ZObject,
  { authData }: Connection,
  { formId, key, url }: { formId: string; key: string; url: string },
): Promise<string> {
  const file = await z.request({ url, raw: true });
  const form = new FormData();
  form.append('file', await file.buffer(), {
    filename: fileName(file.headers.get('content-disposition') ?? '', url),
    contentType: file.headers.get('content-type') ?? 'application/octet-stream',
  });
  const response = await z.request<{ file_id: string }>({
    method: 'POST',
    url: instanceUrl(authData.url) + path`/public/v1/forms/${formId}/files`,
    params: { field: key },
    body: form.getBuffer(),
    headers: form.getHeaders(),
    redirect: 'manual',
    skipThrowForStatus: true,
  });
  return dataOf(z, response).file_id;
}

/** The name that the file's server gives it, or else the last part of its URL. */
function fileName(disposition: string, url: string): string {
  const named = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  const last = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  return named ?? (last === '' ? 'file' : last);
}
