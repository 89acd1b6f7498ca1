import type { WorkspaceRole } from '@sheaf/kernel';
import { couldGrant, type InviterRoles } from './invitation-rules';

const role = (workspace_id: string, given: WorkspaceRole) => ({ workspace_id, role: given });

it.each<[string, InviterRoles, ReturnType<typeof role>[], boolean]>([
  ['an admin: any role except owner in their workspace', { a: 'admin' }, [role('a', 'admin')], true],
  ['an admin: not the role of an owner', { a: 'admin' }, [role('a', 'owner')], false],
  ['an owner: any role in their workspace', { a: 'owner' }, [role('a', 'owner')], true],
  [
    'an owner: the roles of editors and viewers elsewhere',
    { a: 'owner' },
    [role('a', 'owner'), role('b', 'editor'), role('c', 'viewer')],
    true,
  ],
  ['an owner: not the role of an admin elsewhere', { a: 'owner' }, [role('b', 'admin')], false],
  ['an owner: not the role of an owner elsewhere', { a: 'owner' }, [role('a', 'viewer'), role('b', 'owner')], false],
  ['an editor: nothing', { a: 'editor' }, [role('a', 'viewer')], false],
  ['a person without a role: nothing', {}, [role('a', 'viewer')], false],
  ['the operator: everything', 'operator', [role('a', 'owner'), role('b', 'owner')], true],
])('the rule for grants by %s', (_, roles, memberships, could) => {
  expect(couldGrant(roles, { memberships, forms: [] })).toBe(could);
});

it('ownership of a form is granted only by owners and admins of its workspace', () => {
  const pending = { memberships: [role('a', 'viewer')], forms: [{ workspace_id: 'b' }] };
  expect(couldGrant({ a: 'owner' }, pending)).toBe(false);
  expect(couldGrant({ a: 'owner', b: 'editor' }, pending)).toBe(false);
  expect(couldGrant({ a: 'owner', b: 'admin' }, pending)).toBe(true);
  expect(couldGrant('operator', pending)).toBe(true);
});
