import type { Bundle, ZObject } from 'zapier-platform-core';
import { download, path } from './api.js';

export type FileReference = { form_id: string; file_id: string };

/** Puts a file of a submission where Zapier's other steps can read it. */
export function downloadFile(z: ZObject, bundle: Bundle): Promise<string> {
  const { form_id: formId, file_id: fileId } = bundle.inputData as FileReference;
  return Promise.resolve(z.stashFile(download(z, bundle, path`/app/v1/forms/${formId}/files/${fileId}`)));
}
