import type { Bundle, Create, PlainInputField, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { answerInputs, answerOutputs, formInput, inputKey, pickedForm, readFields, type FormField } from '../fields.js';
import { statusOutput, toDetails, type SubmissionDetails, type SubmissionWithStatus } from '../submission-details.js';
import { submissionOutputs, submissionSample } from '../submission-item.js';
import { upload } from '../upload.js';

async function perform(z: ZObject, bundle: Bundle): Promise<SubmissionDetails> {
  const formId = pickedForm(bundle);
  const data: Record<string, unknown> = {};
  for (const field of await readFields(z, bundle, formId)) {
    const input = bundle.inputData[inputKey(field)];
    if (input !== undefined && input !== null && input !== '') data[field.key] = await answer(z, bundle, { field, input });
  }
  const submission = await call<SubmissionWithStatus>(z, bundle, {
    method: 'POST',
    path: path`/app/v1/forms/${formId}/submissions`,
    ...idempotencyKey(bundle),
    body: { data },
  });
  return toDetails(z, bundle, submission);
}

function idempotencyKey({ inputData }: Bundle): { headers?: Record<string, string> } {
  const key = inputData.idempotency_key as string | number | undefined;
  return key === undefined || key === '' ? {} : { headers: { 'Idempotency-Key': String(key) } };
}

/** Zapier tells a step nothing that stays the same when it is run again, so people pick what identifies the item. */
const keyInput = {
  key: 'idempotency_key',
  label: 'Idempotency Key',
  type: 'string',
  helpText:
    'Something that is the same when this Zap runs again for the same item, such as its ID from an earlier step. Then only the first run creates a submission.',
} satisfies PlainInputField;

/** An entry of Zapier is one text, so several columns are separated by commas. */
const columnsOfRows = (input: unknown): unknown =>
  Object.fromEntries(
    Object.entries(input as Record<string, unknown>).map(([row, columns]) => [
      row,
      String(columns)
        .split(',')
        .map((column) => column.trim())
        .filter((column) => column !== ''),
    ]),
  );

/** Zapier has no lists of objects in its inputs. A text that is no JSON is left, and refused with the reason. */
function itemsIn(input: unknown): unknown {
  try {
    return typeof input === 'string' ? (JSON.parse(input) as unknown) : input;
  } catch {
    return input;
  }
}

/** The input as the field's answer: Zapier makes a whole time of every date, and a URL of every file. */
function answer(z: ZObject, bundle: Bundle, { field, input }: { field: FormField; input: unknown }): unknown {
  if (field.type === 'date') return String(input).slice(0, 'YYYY-MM-DD'.length);
  if (field.type === 'matrix' && field.multiple === true) return columnsOfRows(input);
  if (field.type === 'repeat') return itemsIn(input);
  if (field.type === 'signature') return { kind: 'typed', name: String(input) };
  if (field.type !== 'file') return input;
  const uploaded = (url: unknown) => upload(z, bundle, { formId: pickedForm(bundle), key: field.key, url: String(url) });
  return Array.isArray(input) ? Promise.all(input.map(uploaded)) : uploaded(input);
}

export default {
  key: 'create_submission',
  noun: 'Submission',
  display: { label: 'Create Submission', description: "Enters answers to a form on somebody's behalf." },
  operation: {
    inputFields: [formInput, answerInputs, keyInput],
    perform,
    sample: { ...submissionSample, status: 'new' },
    outputFields: [...submissionOutputs, statusOutput, answerOutputs],
  },
} satisfies Create;
