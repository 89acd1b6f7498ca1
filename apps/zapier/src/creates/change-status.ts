import type { Bundle, Create, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { answerOutputs, formInput } from '../fields.js';
import { statusChoices, statusOutput, toDetails, type SubmissionDetails, type SubmissionWithStatus } from '../submission-details.js';
import { submissionOutputs, submissionSample } from '../submission-item.js';

interface Input {
  form_id: string;
  submission_id: string;
  status: string;
}

async function perform(z: ZObject, bundle: Bundle): Promise<SubmissionDetails> {
  const { form_id: formId, submission_id: id, status } = bundle.inputData as unknown as Input;
  const changed = await call<SubmissionWithStatus>(z, bundle, {
    method: 'PATCH',
    path: path`/api/v1/forms/${formId}/submissions/${id}/status`,
    body: { status },
  });
  return toDetails(z, bundle, changed);
}

export default {
  key: 'change_status',
  noun: 'Submission',
  display: { label: 'Change Submission Status', description: 'Changes the status of a submission.' },
  operation: {
    inputFields: [
      formInput,
      { key: 'submission_id', label: 'Submission ID', type: 'string', required: true, search: 'find_submission.id' },
      { key: 'status', label: 'Status', type: 'string', required: true, choices: statusChoices },
    ],
    perform,
    sample: { ...submissionSample, status: 'approved' },
    outputFields: [...submissionOutputs, statusOutput, answerOutputs],
  },
} satisfies Create;
