import { Workspaces } from '@sheaf/rpc';
import { openedBy, TestClock } from '@sheaf/testing';
import { startService } from './service';

// By the contract (section 5.5), and by what `forms` asks while it answers operations of scopes of its own.
it('opens to a service account what its scopes say, and nothing without one', async () => {
  const { client, stop } = await startService(new TestClock());
  expect(await openedBy(client, Workspaces)).toEqual({
    getMe: ['forms:read'],
    listFolders: ['forms:read'],
    createFolder: ['forms:write'],
    updateFolder: ['forms:write'],
    deleteFolder: ['forms:write'],
    listWorkspaces: ['workspaces:manage'],
    switchWorkspace: ['workspaces:manage'],
    listMembers: ['workspaces:manage'],
    getFolder: ['forms:write'],
    findPeople: ['forms:read', 'forms:write'],
  });
  await stop();
});
