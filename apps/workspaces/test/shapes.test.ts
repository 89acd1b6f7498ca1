import { newId } from '@sheaf/kernel';
import { Workspaces } from '@sheaf/rpc';
import { TestClock, findUncheckedRequests } from '@sheaf/testing';
import { startService } from './service';

const id = newId();
const page = { limit: 10, offset: 0 };
const email = 'ada@example.org';
const password = 'correct horse battery';

it('refuses unknown values and wrong shapes in the request of every method, and names the field', async () => {
  const { client, stop } = await startService(new TestClock());
  const found = await findUncheckedRequests(client, Workspaces, {
    authenticate: [],
    resolveHost: [],
    signIn: [
      ['email', { instance_id: id, email: '', password }],
      ['password', { instance_id: id, email, password: 'x'.repeat(201) }],
      ['user_agent', { instance_id: id, email, password, user_agent: 'x'.repeat(201) }],
      ['device', { instance_id: id, email, password, device: 'x'.repeat(101) }],
      ['origin', { instance_id: id, email, password, origin: 'x'.repeat(301) }],
    ],
    signInWithLink: [
      ['user_agent', { instance_id: id, token: 't', user_agent: 'x'.repeat(201) }],
      ['device', { instance_id: id, token: 't', device: 'x'.repeat(101) }],
      ['origin', { instance_id: id, token: 't', origin: 'x'.repeat(301) }],
    ],
    acceptInvitation: [
      ['name', { instance_id: id, token: 't', name: ' ', password }],
      ['password', { instance_id: id, token: 't', name: 'Ada', password: 'short' }],
      ['user_agent', { instance_id: id, token: 't', name: 'Ada', password, user_agent: 'x'.repeat(201) }],
      ['device', { instance_id: id, token: 't', name: 'Ada', password, device: 'x'.repeat(101) }],
    ],
    getMe: [],
    getProfile: [],
    updateProfile: [
      ['avatar_url', { patch: { avatar_url: 'ftp://example.org' }, set: ['avatar_url'] }],
      ['name', { set: ['name'] }],
      ['device', { patch: { name: 'Ada' }, set: ['name'], device: 'x'.repeat(101) }],
    ],
    eraseProfile: [['password', { password: '' }]],
    erasePerson: [],
    getPreferences: [],
    setPreference: [
      ['key', { key: 'Not a key', value: Buffer.from('1') }],
      ['value', { key: 'theme', value: Buffer.from('{') }],
      ['value', { key: 'theme', value: Buffer.from(JSON.stringify('x'.repeat(16_384))) }],
    ],
    removePreference: [['key', { key: 'no such key' }]],
    getSession: [],
    endSession: [],
    listSessions: [
      ['limit', { limit: 0, offset: 0 }],
      ['offset', { limit: 10, offset: -1 }],
    ],
    endOwnSession: [],
    endOtherSessions: [],
    listWorkspaces: [],
    createWorkspace: [
      ['name', { name: '' }],
      ['slug', { name: 'Ada', slug: 'www' }],
      ['color', { name: 'Ada', color: 'x'.repeat(33) }],
    ],
    updateWorkspace: [['slug', { id, patch: { slug: 'Not a slug' }, set: ['slug'] }]],
    eraseWorkspace: [],
    switchWorkspace: [['workspace_id', { workspace_id: '' }]],
    listMembers: [],
    addMember: [
      ['role', { workspace_id: id, email, role: 'emperor' }],
      ['email', { workspace_id: id, email: 'nobody', role: 'viewer' }],
      ['name', { workspace_id: id, email, name: ' ', role: 'viewer' }],
    ],
    getInvitation: [],
    listInvitations: [],
    renewInvitationLink: [],
    revokeInvitation: [],
    changeMemberRole: [
      ['role', { workspace_id: id, user_id: id, role: 'emperor' }],
      ['role', { workspace_id: id, user_id: id }],
    ],
    removeMember: [],
    findPeople: [['ids', { ids: Array.from({ length: 10_001 }, () => id) }]],
    findPersonByEmail: [['email', { email: 'nobody' }]],
    listFolders: [],
    createFolder: [
      ['label', { label: '' }],
      ['icon', { label: 'Jobs', icon: 'x'.repeat(65) }],
      ['color', { label: 'Jobs', color: 'x'.repeat(33) }],
    ],
    updateFolder: [['label', { id, patch: { label: '' }, set: ['label'] }]],
    deleteFolder: [],
    getFolder: [],
    listApiKeys: [],
    createApiKey: [
      ['name', { name: '' }],
      ['expires_at', { name: 'Key', expires_at: 'tomorrow' }],
    ],
    revokeApiKey: [],
    listServiceAccounts: [],
    createServiceAccount: [
      ['scopes.1', { name: 'Sync', scopes: ['forms:read', 'everything'] }],
      ['name', { name: '', scopes: [] }],
    ],
    updateServiceAccount: [['scopes.0', { id, patch: { scopes: ['everything'] }, set: ['scopes'] }]],
    deleteServiceAccount: [],
    createServiceAccountKey: [['expires_at', { service_account_id: id, expires_at: '2026-05-01' }]],
    revokeServiceAccountKey: [],
    listInstanceMembers: [],
    addInstanceMember: [
      ['email', { email: 'nobody', role: 'admin' }],
      ['role', { email, role: 'editor' }],
    ],
    setInstanceRole: [['role', { user_id: id, role: 'viewer' }]],
    removeInstanceMember: [],
    listErasures: [
      ['limit', { limit: 101 }],
      ['cursor', { limit: 10, cursor: 'x'.repeat(1_001) }],
    ],
    getErasure: [],
    listAuditLog: [
      ['action.1', { ...page, actions: ['form.updated', 'form.exploded'] }],
      ['from', { ...page, from: 'yesterday' }],
      ['to', { ...page, to: '2026-05-01' }],
      ['limit', { ...page, limit: 101 }],
      ['offset', { ...page, offset: -1 }],
    ],
  });
  await stop();
  expect(found).toEqual([]);
});
