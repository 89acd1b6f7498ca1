import { onSubmissionEvent } from './submission-event.js';

/** A submission is back from the trash. */
export default onSubmissionEvent({
  key: 'submission_restored',
  event: 'submission.restored',
  label: 'Submission Restored',
  description: 'Triggers when a submission is taken out of the trash.',
  more: { sample: {}, outputFields: [] },
});
