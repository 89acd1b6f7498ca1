import { Workspaces } from '@sheaf/rpc';
import { methodsForSessions, scopesByMethod, TestClock } from '@sheaf/testing';
import { startService } from './service';

// The scopes in section 5.5 of the contract, and those of the operations for which `forms` calls this service.
it('grants a service account the methods of its scopes, and none without a scope', async () => {
  const { client, stop } = await startService(new TestClock());
  expect(await scopesByMethod(client, Workspaces)).toEqual({
    getMe: ['forms:read'],
    listFolders: ['forms:read'],
    createFolder: ['forms:write'],
    updateFolder: ['forms:write'],
    deleteFolder: ['forms:write'],
    listWorkspaces: ['workspaces:manage'],
    switchWorkspace: ['workspaces:manage'],
    listMembers: ['workspaces:manage'],
    getFolder: ['forms:write'],
    // The last one for the role of a person who is to take care of a submission.
    findPeople: ['forms:read', 'forms:write', 'submissions:write'],
    // A person who gets a grant may be named by their address.
    findPersonByEmail: ['forms:write'],
  });
  await stop();
});

it('lets only people who are signed in, and no key, make people or give power', async () => {
  const { client, stop } = await startService(new TestClock());
  expect(await methodsForSessions(client, Workspaces)).toEqual(
    [
      ['addMember', 'changeMemberRole', 'removeMember', 'renewInvitationLink', 'revokeInvitation'],
      ['createServiceAccount', 'updateServiceAccount', 'deleteServiceAccount', 'createServiceAccountKey', 'revokeServiceAccountKey'],
      ['createApiKey', 'revokeApiKey'],
      ['listInstanceMembers', 'addInstanceMember', 'setInstanceRole', 'removeInstanceMember'],
      // Methods of the session itself, and of the account.
      ['getSession', 'endSession', 'listSessions', 'endOwnSession', 'endOtherSessions', 'getProfile', 'updateProfile', 'eraseProfile'],
    ]
      .flat()
      .sort(),
  );
  await stop();
});
