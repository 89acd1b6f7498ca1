import { createWorkspace } from '@sheaf/client';
import { useState } from 'react';
import { client } from '../api/client';
import { FormDialog } from '../parts/dialog';
import { TextField } from '../parts/text-field';
import { useWords } from '../words/use-words';

export function NewWorkspaceDialog({ onClose, enter }: { onClose: () => void; enter: (id: string) => Promise<void> }) {
  const say = useWords('everywhere').shell;
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={say.newWorkspace}
      onClose={onClose}
      submitLabel={say.createWorkspace}
      isIncomplete={name.trim() === ''}
      onSubmit={async () => enter((await createWorkspace({ client, body: { name } })).id)}
    >
      <TextField label={say.workspaceName} value={name} onChange={setName} maxLength={100} autoFocus />
    </FormDialog>
  );
}
