import { Forms } from '@sheaf/rpc';
import { scopesByMethod, TestClock } from '@sheaf/testing';
import { startService } from './service';

// By the contract (section 5.5), and by what `submissions`, `hooks` and `delivery` ask while they answer operations of scopes of theirs.
it('grants a service account the methods of its scopes, and none without a scope', async () => {
  const { client, stop } = await startService(new TestClock());
  const [read, write] = [['forms:read'], ['forms:write']];
  expect(await scopesByMethod(client, Forms)).toEqual({
    listForms: read,
    listFields: read,
    getDraft: read,
    listVersions: read,
    getVersion: read,
    listGrants: read,
    createForm: write,
    updateForm: write,
    trashForm: write,
    restoreForm: write,
    duplicateForm: write,
    publishForm: write,
    putDraft: write,
    putGrant: write,
    removeGrant: write,
    // For the name of an export.
    getForm: ['forms:read', 'submissions:read'],
    getFormAccess: ['submissions:read', 'submissions:write', 'hooks:manage'],
    listFieldKeys: ['submissions:read'],
  });
  await stop();
});
