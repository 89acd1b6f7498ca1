import type { FoundForm } from '@sheaf/client';

/** The rights of the person on a form of the list; the services check it again. */
export const may = ({ role, status }: FoundForm) => {
  const isTrashed = status === 'trashed';
  const edits = role === 'owner' || role === 'admin' || role === 'editor';
  return {
    change: edits && !isTrashed,
    trash: role === 'owner' && !isTrashed,
    moveToWorkspace: role === 'owner' && !isTrashed,
    restore: role === 'owner' && isTrashed,
    open: !isTrashed,
  };
};
