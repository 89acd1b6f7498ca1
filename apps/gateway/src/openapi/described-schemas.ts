/** Descriptions of schemas by the name of the shape. The input and output sides of a shape share one entry. */
export const schemaDescriptions: Readonly<Record<string, string>> = {
  SubmissionCreated: 'The body of `submission.created`.',
  SubmissionDeleted: 'The body of `submission.deleted`.',
  SubmissionStatusChanged:
    'The body of `submission.status_changed`. A single change has `submission_id` and `previous_status`; a bulk change has `submission_ids`.',
  NamedAnswer: 'An answer with the names that people know.',
  NamedFile: 'A file in an answer.',
};
