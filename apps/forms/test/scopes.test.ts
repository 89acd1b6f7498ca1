import { Forms } from '@sheaf/rpc';
import { methodsForSessions, scopesByMethod, TestClock } from '@sheaf/testing';
import { startService } from './service';

// The scopes in section 5.5 of the contract, and those of the operations for which `submissions`, `hooks` and `delivery` call this service.
it('grants a service account the methods of its scopes, and none without a scope', async () => {
  const { client, stop } = await startService(new TestClock());
  const [read, write] = [['forms:read'], ['forms:write']];
  expect(await scopesByMethod(client, Forms)).toEqual({
    listForms: read,
    findForms: read,
    listFields: read,
    getDraft: read,
    getFormDocument: read,
    getFormXlsForm: read,
    checkPublication: read,
    listVersions: read,
    diffVersions: read,
    listGrants: read,
    getFormSettings: read,
    getPicture: read,
    createForm: write,
    importForm: write,
    importXlsForm: write,
    updateForm: write,
    setFavorite: write,
    trashForm: write,
    restoreForm: write,
    eraseForm: write,
    duplicateForm: write,
    publishForm: write,
    putDraft: write,
    restoreDraft: write,
    publishDraft: write,
    discardDraft: write,
    putGrant: write,
    addGrant: write,
    removeGrant: write,
    updateFormSettings: write,
    addPicture: write,
    listViews: ['submissions:read'],
    createView: ['submissions:write'],
    updateView: ['submissions:write'],
    deleteView: ['submissions:write'],
    listExportPresets: ['submissions:read'],
    createExportPreset: ['submissions:write'],
    updateExportPreset: ['submissions:write'],
    deleteExportPreset: ['submissions:write'],
    // Exports need the form's name.
    getForm: ['forms:read', 'submissions:read'],
    // A correction is checked against the version of its submission, and insights count answers by the fields of theirs.
    getVersion: ['forms:read', 'submissions:read', 'submissions:write'],
    // Checks before publishing count answers.
    getFormAccess: ['forms:read', 'submissions:read', 'submissions:write', 'hooks:manage'],
    // The list of forms counts the submissions of its page.
    listFormAccess: ['forms:read', 'submissions:read'],
    listFieldKeys: ['submissions:read'],
    // A member enters a submission, and insights show the scales and places of the latest version.
    getPublishedForm: ['submissions:read', 'submissions:write'],
    // A person who is to take care of a submission must have a role.
    getPersonRole: ['submissions:write'],
  });
  await stop();
});

// A grant of the role owner needs a session as well, but only then.
it('lets only people who are signed in, and no key, give a form to another workspace', async () => {
  const { client, stop } = await startService(new TestClock());
  expect(await methodsForSessions(client, Forms)).toEqual(['moveForm']);
  await stop();
});
