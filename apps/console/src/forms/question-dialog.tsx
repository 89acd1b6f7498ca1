import { lazy } from 'react';
import { DeleteFolderDialog, MoveFolderDialog, NewFolderDialog, RenameFolderDialog } from './folder-dialogs';
import { EraseDialog, MoveFormDialog, MoveToWorkspaceDialog, RenameFormDialog } from './form-dialogs';
import type { Question } from './question';
import { withWords } from '../shell/with-words';

const TemplatesDialog = lazy(
  withWords(['templates', 'forms', 'form'], () =>
    import('./templates-dialog').then(({ TemplatesDialog: component }) => ({ default: component })),
  ),
);
const ImportDialog = lazy(() => import('./import-dialog').then(({ ImportDialog: component }) => ({ default: component })));

/** The dialog about a question. It is in the page only while it is open. */
export function QuestionDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  switch (question.kind) {
    case 'rename':
      return <RenameFormDialog form={question.form} onClose={onClose} />;
    case 'move':
      return <MoveFormDialog form={question.form} onClose={onClose} />;
    case 'move-workspace':
      return <MoveToWorkspaceDialog form={question.form} onClose={onClose} />;
    case 'erase':
      return <EraseDialog form={question.form} onClose={onClose} />;
    case 'new-folder':
      return <NewFolderDialog parent={question.parent} onClose={onClose} />;
    case 'rename-folder':
      return <RenameFolderDialog folder={question.folder} onClose={onClose} />;
    case 'move-folder':
      return <MoveFolderDialog folder={question.folder} onClose={onClose} />;
    case 'delete-folder':
      return <DeleteFolderDialog folder={question.folder} onClose={onClose} />;
    case 'templates':
      return <TemplatesDialog {...question} onClose={onClose} />;
    case 'import':
      return <ImportDialog {...question} onClose={onClose} />;
  }
}
