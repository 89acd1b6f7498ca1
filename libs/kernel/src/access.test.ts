import {
  authorize,
  authorizeIn,
  authorizeOnFolder,
  authorizeOnInstance,
  folderRole,
  formRole,
  maySetRole,
  type FormAccess,
} from './access';
import type { ServiceAccount, User } from './caller';
import { Problem } from './problem';
import { workspaceRoles, type WorkspaceRole } from './role';

const form: FormAccess = { workspaceId: 'w1', creator: { kind: 'user', id: 'creator' }, grants: { friend: 'editor', boss: 'viewer' } };

const user = (id: string, roles: Record<string, WorkspaceRole> = {}): User => ({
  kind: 'user',
  id,
  instanceId: 'i1',
  workspaceId: 'w1',
  roles,
  via: 'session',
  credentialId: 'c1',
});
const account = (id: string): ServiceAccount => ({ kind: 'service_account', id, instanceId: 'i1', scopes: [], credentialId: 'c2' });

describe('the role on a form', () => {
  it.each([
    ['the creator owns it', user('creator', { w1: 'editor' }), 'owner'],
    ['a creator who left the workspace has no role', user('creator', { w2: 'owner' }), undefined],
    ['a grant gives its role', user('friend'), 'editor'],
    ['a workspace owner owns it', user('x', { w1: 'owner' }), 'owner'],
    ['a workspace admin owns it', user('x', { w1: 'admin' }), 'owner'],
    ['a workspace editor edits it', user('x', { w1: 'editor' }), 'editor'],
    ['a workspace viewer views it', user('x', { w1: 'viewer' }), 'viewer'],
    ['the highest of several counts', user('boss', { w1: 'editor' }), 'editor'],
    ['the highest counts, even if the creator is now only a viewer', user('creator', { w1: 'viewer' }), 'owner'],
    ['a role in another workspace gives nothing', user('x', { w2: 'owner' }), undefined],
    ['an outsider has none', user('x'), undefined],
    ['a service account edits it', account('robot'), 'editor'],
    ['a service account is not the user with the same id', account('creator'), 'editor'],
  ] as const)('%s', (_, caller, role) => {
    expect(formRole(caller, form)).toBe(role);
  });

  it('leaves a creator who left the workspace with the grants that they have', () => {
    expect(formRole(user('creator', { w2: 'owner' }), { ...form, grants: { creator: 'viewer' } })).toBe('viewer');
  });

  it('makes a service account the owner of the forms that it created', () => {
    expect(formRole(account('robot'), { ...form, creator: { kind: 'service_account', id: 'robot' } })).toBe('owner');
  });
});

describe('the role on a folder', () => {
  const folder = { workspaceId: 'w1', creator: { kind: 'user', id: 'creator' } } as const;

  it.each([
    ['the creator owns it', user('creator', { w1: 'viewer' }), 'owner'],
    ['a creator who left the workspace has no role', user('creator', { w2: 'owner' }), undefined],
    ['a workspace admin owns it', user('x', { w1: 'admin' }), 'owner'],
    ['a workspace editor edits it', user('x', { w1: 'editor' }), 'editor'],
    ['a workspace viewer views it', user('x', { w1: 'viewer' }), 'viewer'],
    ['an outsider has none', user('x', { w2: 'owner' }), undefined],
    ['a service account edits it', account('robot'), 'editor'],
  ] as const)('%s', (_, caller, role) => {
    expect(folderRole(caller, folder)).toBe(role);
  });

  it('makes a service account the owner of the folders that it created', () => {
    expect(folderRole(account('robot'), { ...folder, creator: { kind: 'service_account', id: 'robot' } })).toBe('owner');
  });
});

describe('the permissions of a role', () => {
  it('lets only the owner delete a folder, and an editor change it', () => {
    expect(() => authorizeOnFolder('owner', 'delete this folder')).not.toThrow();
    expect(() => authorizeOnFolder('editor', 'change this folder')).not.toThrow();
    expect(() => authorizeOnFolder('editor', 'delete this folder')).toThrow('Your role does not allow you to delete this folder.');
    expect(() => authorizeOnFolder('viewer', 'change this folder')).toThrow(Problem);
  });

  it('lets only the owner delete a form', () => {
    expect(() => authorize('owner', 'delete this form')).not.toThrow();
    expect(() => authorize('editor', 'delete this form')).toThrow(Problem);
  });

  it.each([
    'restore this form',
    'erase this form',
    'erase submissions of this form',
    'decide how long this form keeps submissions',
    'decide who has access to this form',
  ] as const)('lets only the owner %s', (action) => {
    expect(() => authorize('owner', action)).not.toThrow();
    expect(() => authorize('editor', action)).toThrow(`Your role does not allow you to ${action}.`);
  });

  it.each(['see who has access to this form', 'change webhooks of this form'] as const)(
    'lets an editor, but not a viewer, %s',
    (action) => {
      expect(() => authorize('editor', action)).not.toThrow();
      expect(() => authorize('viewer', action)).toThrow(Problem);
    },
  );

  it('refuses every action without a role', () => {
    expect(() => authorize(undefined, 'read this form')).toThrow('Your role does not allow you to read this form.');
  });

  it('lets an owner set any role in a workspace, an admin any but the owner’s, and others none', () => {
    const maySet = (own?: WorkspaceRole) => workspaceRoles.filter((role) => maySetRole(own, role));
    expect(maySet('owner')).toEqual(workspaceRoles);
    expect(maySet('admin')).toEqual(['admin', 'editor', 'viewer']);
    for (const own of ['editor', 'viewer', undefined] as const) expect(maySet(own)).toEqual([]);
  });

  it('lets a viewer of the workspace create nothing in it', () => {
    expect(() => authorizeIn('viewer', 'create forms in this workspace')).toThrow(Problem);
    expect(() => authorizeIn('editor', 'create forms in this workspace')).not.toThrow();
  });
});

describe('the permissions of a role in the instance', () => {
  it.each([
    'manage who runs this instance',
    'create workspaces',
    'erase people',
    'manage service accounts',
    'rotate webhook keys',
    'manage webhooks of this instance',
    'decide how long this instance keeps submissions',
  ] as const)('%s: its owners and admins, and nobody by right of a role in a workspace', (action) => {
    for (const instanceRole of ['owner', 'admin'] as const) expect(() => authorizeOnInstance({ instanceRole }, action)).not.toThrow();
    const ofWorkspace = { kind: 'user', id: 'ada', roles: { any: 'owner' } } as const;
    expect(() => authorizeOnInstance(ofWorkspace as Pick<User, 'instanceRole'>, action)).toThrow(
      `Only owners and admins of the instance can ${action}.`,
    );
  });
});
