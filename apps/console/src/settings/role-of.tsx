import { useState } from 'react';
import { ConfirmDialog } from '../parts/dialog';
import { Select, type Option } from '../parts/fields';
import { toast } from '../parts/toasts';
import { useAttempt } from '../parts/use-attempt';
import { useSession } from '../session/session';
import { useWords } from '../words/use-words';
import style from './settings.module.css';

interface RoleOfProps<Role extends string> {
  member: { user_id: string; name: string; role: string };
  nameOf: (role: string) => string;
  /** Absent where the person may not change it. */
  choice?: {
    /** The roles that the person may give. */
    options: readonly Option<Role>[];
    /** Why the role stays as it is. */
    fixedBecause: string | undefined;
    /** The rights that a person loses who changes their own role. */
    ownRoleHelp: (role: Role) => string;
    put: (role: Role) => Promise<unknown>;
  };
}

/** A role, to be chosen anew where the person may; else it says why not. One's own is asked about, because *Undo* may be out of reach. */
export function RoleOf<Role extends string>({ member, nameOf, choice }: RoleOfProps<Role>) {
  const say = useWords('settings').members;
  const { user } = useSession();
  const [asked, setAsked] = useState<Role>();
  const attempt = useAttempt();
  if (!choice || choice.fixedBecause !== undefined)
    return (
      <span className={style.role}>
        {nameOf(member.role)}
        {choice && <span className="muted"> – {choice.fixedBecause}</span>}
      </span>
    );
  const { options, ownRoleHelp, put } = choice;
  const before = member.role as Role;
  const set = async (role: Role) => {
    await put(role);
    // The offers of the page depend on one's own role.
    if (member.user_id === user.id) return location.reload();
    toast({ text: say.roleChanged(member.name, nameOf(role)), onUndo: () => attempt(() => put(before)) });
  };
  const choose = (role: Role) => {
    if (role === before) return;
    if (member.user_id === user.id) setAsked(role);
    else attempt(() => set(role));
  };
  return (
    <div className={style.role}>
      <Select label={say.roleOf(member.name)} isLabelHidden options={options} value={before} onChange={choose} />
      {asked !== undefined && (
        <ConfirmDialog
          title={say.ownRoleTitle}
          onClose={() => setAsked(undefined)}
          submitLabel={say.changeRole}
          onSubmit={() => set(asked)}
        >
          <p>{ownRoleHelp(asked)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
