import type { WorkspaceRole } from '@sheaf/kernel';
import { couldGive, type InviterRoles } from './invitation-rules';

const role = (workspace_id: string, given: WorkspaceRole) => ({ workspace_id, role: given });

it.each<[string, InviterRoles, ReturnType<typeof role>[], boolean]>([
  ['an admin: any role but the owner’s in their workspace', { a: 'admin' }, [role('a', 'admin')], true],
  ['an admin: no owner’s role', { a: 'admin' }, [role('a', 'owner')], false],
  ['an owner: any role in their workspace', { a: 'owner' }, [role('a', 'owner')], true],
  ['an owner: an editor’s or viewer’s role elsewhere', { a: 'owner' }, [role('a', 'owner'), role('b', 'editor'), role('c', 'viewer')], true],
  ['an owner: no admin’s role elsewhere', { a: 'owner' }, [role('b', 'admin')], false],
  ['an owner: no owner’s role elsewhere', { a: 'owner' }, [role('a', 'viewer'), role('b', 'owner')], false],
  ['an editor: nothing', { a: 'editor' }, [role('a', 'viewer')], false],
  ['somebody without a role: nothing', {}, [role('a', 'viewer')], false],
  ['the operator: everything', 'operator', [role('a', 'owner'), role('b', 'owner')], true],
])('could be given by %s', (_, roles, memberships, could) => {
  expect(couldGive(roles, { memberships, forms: [] })).toBe(could);
});

it('lets only owners and admins of its workspace give the ownership of a form', () => {
  const waiting = { memberships: [role('a', 'viewer')], forms: [{ workspace_id: 'b' }] };
  expect(couldGive({ a: 'owner' }, waiting)).toBe(false);
  expect(couldGive({ a: 'owner', b: 'editor' }, waiting)).toBe(false);
  expect(couldGive({ a: 'owner', b: 'admin' }, waiting)).toBe(true);
  expect(couldGive('operator', waiting)).toBe(true);
});
