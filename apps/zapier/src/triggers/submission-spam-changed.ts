import { onSubmissionEvent } from './submission-event.js';

/** Spam that nobody has heard of is not told. */
export default onSubmissionEvent({
  key: 'submission_spam_changed',
  event: 'submission.spam_changed',
  label: 'Submission Marked as Spam or Released',
  description: 'Triggers when a submission is marked as spam, or released from spam.',
  more: { sample: { spam: true }, outputFields: [{ key: 'spam', label: 'Is Spam', type: 'boolean' }] },
});
