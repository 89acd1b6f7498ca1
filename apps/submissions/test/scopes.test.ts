import { Submissions } from '@sheaf/rpc';
import { scopesByMethod } from '@sheaf/testing';
import { Started } from './started';

// See the contract, section 5.5.
it('grants a service account the methods of its scopes, and none without a scope', async () => {
  const service = await new Started().start();
  const [read, write] = [['submissions:read'], ['submissions:write']];
  expect(await scopesByMethod(service.client, Submissions)).toEqual({
    listSubmissions: read,
    findSubmissions: read,
    listReferencedSubmissions: read,
    countViews: read,
    listSubmissionChanges: read,
    getSubmission: read,
    getSubmissionDetail: read,
    listRevisions: read,
    getRevision: read,
    enterSubmission: write,
    previewImport: write,
    importSubmissions: write,
    correctSubmission: write,
    listNotes: read,
    addNote: write,
    updateNote: write,
    deleteNote: write,
    assignSubmission: write,
    readAnswers: read,
    exportSubmissions: read,
    startExport: read,
    listExports: read,
    getExport: read,
    deleteExport: read,
    readExport: read,
    startBulkChange: write,
    listBulkChanges: read,
    getBulkChange: read,
    endBulkChange: write,
    undoBulkChange: write,
    getHistory: read,
    getInsights: read,
    // A check before publishing a form counts the answers that it affects.
    countAnswers: ['forms:read', 'submissions:read'],
    // It reads the draft.
    tryDraft: ['forms:read'],
    // It shows a setting of the form, and what the setting will do.
    getFormRetention: ['forms:read'],
    // The list of forms shows how many submissions each has.
    summarizeForms: ['forms:read', 'submissions:read'],
    listTrash: read,
    listSpam: read,
    getPayment: read,
    readFile: read,
    changeStatus: write,
    deleteSubmission: write,
    changeStatuses: write,
    trashSubmissions: write,
    restoreSubmissions: write,
    markSubmissionsSpam: write,
    eraseSubmission: write,
    eraseSubmissions: write,
    restoreSubmission: write,
    markSpam: write,
  });
  await service.stop();
});
