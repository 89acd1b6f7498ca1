import type { PlainOutputField, ZObject } from 'zapier-platform-core';
import type { Connection } from './api.js';
import { readFields, type FormField } from './fields.js';
import { downloadFile, type FileReference } from './hydrators.js';

/** The properties that events and lists have in common. */
export interface Submission {
  id: string;
  form_id: string;
  schema_version: number;
  created_at: string;
  data: Record<string, unknown>;
}

/** A submission as Zaps see it, wherever it comes from. */
export interface SubmissionItem extends Record<string, unknown> {
  id: string;
  form_id: string;
  schema_version: number;
  created_at: string;
  answers: Record<string, unknown>;
}

/**
 * The submission with an answer for each field of its version, null where there is none, so that every item has the same keys. Files
 * become references, which Zapier downloads when a step needs them.
 */
export async function toItem(z: ZObject, connection: Connection, submission: Submission): Promise<SubmissionItem> {
  const { id, form_id, schema_version, created_at, data } = submission;
  const fields = await readFields(z, connection, form_id, schema_version);
  const answers = Object.fromEntries(fields.map((field) => [field.key, toAnswer(z, form_id, field, data[field.key])]));
  return { id, form_id, schema_version, created_at, answers };
}

function toAnswer(z: ZObject, formId: string, { type }: FormField, answer: unknown): unknown {
  if (answer === undefined || answer === null) return null;
  if (type !== 'file' && type !== 'signature') return answer;
  const reference = (fileId: unknown) =>
    z.dehydrateFile(downloadFile, { form_id: formId, file_id: String(fileId) } satisfies FileReference);
  if (type === 'signature') {
    const { name, file_id: drawing } = answer as { name?: string; file_id?: string };
    return drawing === undefined ? name : reference(drawing);
  }
  return Array.isArray(answer) ? answer.map(reference) : reference(answer);
}

export const submissionOutputs: PlainOutputField[] = [
  { key: 'id', label: 'Submission ID', type: 'string', primary: true },
  { key: 'form_id', label: 'Form ID', type: 'string' },
  { key: 'schema_version', label: 'Form Version', type: 'integer' },
  { key: 'created_at', label: 'Submitted At', type: 'datetime' },
];

export const submissionSample: SubmissionItem = {
  id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
  form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
  schema_version: 1,
  created_at: '2026-03-04T16:05:12.000Z',
  answers: { name: 'Ada Lovelace', stars: 5 },
};
