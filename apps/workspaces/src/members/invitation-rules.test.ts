import type { WorkspaceRole } from '@sheaf/kernel';
import { couldGrant, type Inviter } from './invitation-rules';

const role = (workspace_id: string, given: WorkspaceRole) => ({ workspace_id, role: given });

it.each<[string, Inviter, ReturnType<typeof role>[], boolean]>([
  ['an admin: any role except owner in their workspace', { roles: { a: 'admin' } }, [role('a', 'admin')], true],
  ['an admin: not the role of an owner', { roles: { a: 'admin' } }, [role('a', 'owner')], false],
  ['an owner: any role in their workspace', { roles: { a: 'owner' } }, [role('a', 'owner')], true],
  ['an owner: nothing elsewhere', { roles: { a: 'owner' } }, [role('a', 'owner'), role('b', 'viewer')], false],
  [
    'an admin of the instance: the roles of editors and viewers everywhere',
    { roles: { a: 'owner' }, instanceRole: 'admin' },
    [role('a', 'owner'), role('b', 'editor'), role('c', 'viewer')],
    true,
  ],
  [
    'an owner of the instance: not the role of an admin elsewhere',
    { roles: { a: 'owner' }, instanceRole: 'owner' },
    [role('b', 'admin')],
    false,
  ],
  [
    'an owner of the instance: not the role of an owner elsewhere',
    { roles: { a: 'owner' }, instanceRole: 'owner' },
    [role('a', 'viewer'), role('b', 'owner')],
    false,
  ],
  ['an editor: nothing', { roles: { a: 'editor' } }, [role('a', 'viewer')], false],
  ['a person without a role: nothing', { roles: {} }, [role('a', 'viewer')], false],
  ['the operator: everything', 'operator', [role('a', 'owner'), role('b', 'owner')], true],
])('the rule for grants by %s', (_, inviter, memberships, could) => {
  expect(couldGrant(inviter, { memberships, forms: [] })).toBe(could);
});

it('ownership of a form is granted only by owners and admins of its workspace', () => {
  const pending = { memberships: [role('a', 'viewer')], forms: [{ workspace_id: 'b', role: 'owner' as const }] };
  expect(couldGrant({ roles: { a: 'owner' }, instanceRole: 'owner' }, pending)).toBe(false);
  expect(couldGrant({ roles: { a: 'owner', b: 'editor' } }, pending)).toBe(false);
  expect(couldGrant({ roles: { a: 'owner', b: 'admin' } }, pending)).toBe(true);
  expect(couldGrant('operator', pending)).toBe(true);
});

it.each(['editor', 'viewer'] as const)('the role %s on a form is granted also by those who run the instance', (given) => {
  const pending = { memberships: [role('a', 'viewer')], forms: [{ workspace_id: 'b', role: given }] };
  expect(couldGrant({ roles: { a: 'owner' } }, pending)).toBe(false);
  expect(couldGrant({ roles: { a: 'owner', b: 'editor' } }, pending)).toBe(false);
  expect(couldGrant({ roles: { a: 'owner', b: 'admin' } }, pending)).toBe(true);
  expect(couldGrant({ roles: { a: 'owner' }, instanceRole: 'admin' }, pending)).toBe(true);
  expect(couldGrant('operator', pending)).toBe(true);
});
