import type { FolderSummary, FoundForm } from '@sheaf/client';

/** How a new form begins: in which folder, and who wants to know its id. Without the latter, the form opens. */
export interface Beginning {
  folder: string | undefined;
  onMade?: (form: string) => void;
}

/** The subject of a dialog. Dialogs load when the first one opens. */
export type Question =
  | { kind: 'rename' | 'move' | 'move-workspace' | 'erase'; form: FoundForm }
  | { kind: 'new-folder'; parent: FolderSummary | undefined }
  | { kind: 'rename-folder' | 'move-folder' | 'delete-folder'; folder: FolderSummary }
  | ({ kind: 'templates' | 'import' } & Beginning);
