import { createRequire } from 'node:module';
import zapier, { defineApp } from 'zapier-platform-core';
import { throwProblem } from './api.js';
import authentication from './authentication.js';
import changeStatus from './creates/change-status.js';
import createSubmission from './creates/create-submission.js';
import { downloadFile } from './hydrators.js';
import findForm from './searches/find-form.js';
import findSubmission from './searches/find-submission.js';
import form from './triggers/form.js';
import newSubmission from './triggers/new-submission.js';
import submissionCorrected from './triggers/submission-corrected.js';
import submissionDeleted from './triggers/submission-deleted.js';
import submissionRestored from './triggers/submission-restored.js';
import submissionSpamChanged from './triggers/submission-spam-changed.js';
import submissionStatusChanged from './triggers/submission-status-changed.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

export default defineApp({
  version,
  platformVersion: zapier.version,
  authentication,
  afterResponse: [throwProblem],
  // Else the platform throws for a 429 first, without the message of the API.
  flags: { throwForThrottlingEarly: false },
  triggers: {
    form,
    new_submission: newSubmission,
    submission_status_changed: submissionStatusChanged,
    submission_deleted: submissionDeleted,
    submission_restored: submissionRestored,
    submission_corrected: submissionCorrected,
    submission_spam_changed: submissionSpamChanged,
  },
  creates: { create_submission: createSubmission, change_status: changeStatus },
  searches: { find_submission: findSubmission, find_form: findForm },
  hydrators: { downloadFile },
});
