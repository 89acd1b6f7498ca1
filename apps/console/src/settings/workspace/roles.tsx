import type { WorkspaceRole } from '@sheaf/client';
import type { Option } from '../../parts/fields';
import { Section } from '../../parts/page';
import { Rows } from '../../parts/rows';
import { useWords } from '../../words/use-words';

export const roles = ['owner', 'admin', 'editor', 'viewer'] as const satisfies readonly WorkspaceRole[];
const isRole = (role: string): role is WorkspaceRole => roles.some((each) => each === role);

/** The roles by name. One that this console does not know may come from a newer server. */
export function useRoleName(): (role: string) => string {
  const say = useWords('settings').workspace;
  return (role) => (isRole(role) ? say[role] : say.unknownRole(role));
}

/** The roles that somebody with this role may give. */
export function useRoleOptions(own: WorkspaceRole | undefined): Option<WorkspaceRole>[] {
  const say = useWords('settings').workspace;
  return roles
    .filter((role) => role !== 'owner' || own === 'owner')
    .map((role) => ({ value: role, label: say[role], help: say[`${role}Help`] }));
}

/** The rights of each role, in plain words. */
export function Roles() {
  const { workspace: say, members: common } = useWords('settings');
  return (
    <Section title={say.rolesTitle}>
      <Rows
        label={say.rolesTitle}
        rows={roles}
        keyOf={(role) => role}
        columns={[
          { head: common.role, cell: (role) => say[role] },
          { head: say.may, cell: (role) => say[`${role}Help`] },
        ]}
      />
    </Section>
  );
}
