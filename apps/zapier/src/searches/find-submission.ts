import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { answerOutputs, formInput, pickedForm } from '../fields.js';
import { statusChoices, statusOutput, toDetails, type SubmissionDetails, type SubmissionWithStatus } from '../submission-details.js';
import { submissionOutputs, submissionSample } from '../submission-item.js';

interface Input {
  submission_id?: string;
  words?: string;
  status?: string;
}

interface Page {
  data: SubmissionWithStatus[];
  next_cursor: string | null;
}

async function perform(z: ZObject, bundle: Bundle): Promise<SubmissionDetails[]> {
  const found = await find(z, bundle);
  return Promise.all(found.map((submission) => toDetails(z, bundle, submission)));
}

function find(z: ZObject, bundle: Bundle): Promise<SubmissionWithStatus[]> {
  const input: Input = bundle.inputData;
  return input.submission_id ? findById(z, bundle, input.submission_id) : findByAnswers(z, bundle, input);
}

async function findById(z: ZObject, bundle: Bundle, id: string): Promise<SubmissionWithStatus[]> {
  const found = await call<SubmissionWithStatus | { id?: undefined }>(z, bundle, {
    path: path`/api/v1/forms/${pickedForm(bundle)}/submissions/${id}`,
    accept: [404],
  });
  return found.id === undefined ? [] : [found];
}

/** A page may be empty and have a next one all the same, so only the cursor says whether the search has ended. */
async function findByAnswers(z: ZObject, bundle: Bundle, { words, status }: Input): Promise<SubmissionWithStatus[]> {
  const filters = { ...(words ? { q: words } : {}), ...(status ? { status } : {}) };
  let cursor: string | null = null;
  do {
    const page: Page = await call(z, bundle, {
      path: path`/app/v1/forms/${pickedForm(bundle)}/submissions`,
      params: { limit: '10', ...filters, ...(cursor === null ? {} : { cursor }) },
    });
    if (page.data.length > 0) return page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return [];
}

export default {
  key: 'find_submission',
  noun: 'Submission',
  display: {
    label: 'Find Submission',
    description: 'Finds the newest submission of a form by its ID, words in its answers, or its status.',
  },
  operation: {
    inputFields: [
      formInput,
      { key: 'submission_id', label: 'Submission ID', type: 'string', helpText: 'If you give it, the other conditions do not count.' },
      {
        key: 'words',
        label: 'Words',
        type: 'string',
        helpText: 'Words that the answers must all have. A word that ends with `*` may go on, after at least two letters.',
      },
      { key: 'status', label: 'Status', type: 'string', choices: statusChoices },
    ],
    perform,
    sample: { ...submissionSample, status: 'new' },
    outputFields: [...submissionOutputs, statusOutput, answerOutputs],
  },
} satisfies Search;
