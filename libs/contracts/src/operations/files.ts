import { z } from 'zod';
import { described } from '../described';
import { operation } from './operation';
import { formId, formOrSlug, pathParam } from './params';

/** The field that the file is for. Its rules for files are checked during the upload. */
export const FileQuery = z.object({
  field: described(
    z.string('must be the key of a field').min(1, 'must be the key of a field'),
    'The key of the field that the file is for.',
  ),
});

/** `file_id` is the field's answer in `data`. */
export const UploadedFile = described(
  z.object({
    file_id: described(z.string(), "The file's id. Use it as the field's answer in `data`.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09'),
    name: described(z.string(), "The file's name, without its path.", 'plan.pdf'),
    content_type: described(z.string(), 'The media type, detected from the first bytes.', 'application/pdf'),
    size: described(z.int(), 'The size in bytes.', 48213),
  }),
  'A stored file, with the name and type under which it was stored.',
);

export const uploadFile = operation({
  method: 'post',
  path: '/public/v1/forms/:form/files',
  params: { form: formOrSlug },
  summary: 'Upload a file',
  description: 'Stores a file until a submission claims it. The size and type are checked during the upload.',
  access: 'anyone',
  query: FileQuery,
  status: 201,
  reply: UploadedFile,
  errors: [400, 403, 404, 413, 429],
  composed: true,
});

export const downloadFile = operation({
  method: 'get',
  path: '/app/v1/forms/:id/files/:fileId',
  params: { id: formId, fileId: pathParam('id', "The file's id, as in the answer to a `file` field.") },
  summary: 'Download a file of a submission',
  description: "Returns the content of a submission's file as an attachment. Downloads are recorded in the audit log.",
  access: { scope: 'submissions:read' },
  status: 200,
  errors: [401, 403, 404],
  composed: true,
});

export const downloadLinkedFile = operation({
  method: 'get',
  path: '/public/v1/files/:token',
  params: { token: pathParam('token', 'The token: the last path segment of the link.', { sample: 'Zk1oVnN3' }) },
  summary: 'Download a file by its link',
  description: 'Returns the file that a link in a `named` payload leads to. Links expire 24 hours after the event; an expired one is 403.',
  access: 'anyone',
  status: 200,
  errors: [403, 404],
  composed: true,
});
