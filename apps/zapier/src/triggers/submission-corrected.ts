import { onSubmissionEvent } from './submission-event.js';

export default onSubmissionEvent({
  key: 'submission_corrected',
  event: 'submission.corrected',
  label: 'Submission Corrected',
  description: 'Triggers when the answers of a submission are corrected.',
  more: {
    sample: {
      revision: 1,
      changed: ['email'],
      corrected_by: { kind: 'user', id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c03' },
    },
    outputFields: [
      { key: 'revision', label: 'Revision', type: 'integer' },
      { key: 'changed', label: 'Changed Fields', type: 'string', list: true },
      { key: 'corrected_by__kind', label: 'Kind of Corrector', type: 'string' },
      { key: 'corrected_by__id', label: 'ID of Corrector', type: 'string' },
    ],
  },
});
