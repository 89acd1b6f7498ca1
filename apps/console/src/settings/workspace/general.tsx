import { eraseWorkspace, updateWorkspace } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { client } from '../../api/client';
import { noticeEndedSession } from '../../api/query-client';
import { Button } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { Checkbox, TextField } from '../../parts/fields';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { toast } from '../../parts/toasts';
import { useSession, useWorkspaceRole } from '../../session/session';
import { useWords } from '../../words/use-words';
import page from '../../parts/page.module.css';
import style from '../settings.module.css';

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const firstColor = '#1d4ed8';

/** The name, slug and color of the active workspace, and its end. */
export function General() {
  const say = useWords('settings').workspace;
  const role = useWorkspaceRole();
  return (
    <>
      <Section title={say.general} help={role === 'owner' || role === 'admin' ? undefined : say.readOnly}>
        <WorkspaceForm isReadOnly={role !== 'owner' && role !== 'admin'} />
      </Section>
      <Section title={say.eraseTitle}>
        <Erase isOwner={role === 'owner'} />
      </Section>
    </>
  );
}

function WorkspaceForm({ isReadOnly }: { isReadOnly: boolean }) {
  const say = useWords('settings').workspace;
  const { workspace } = useSession();
  const [name, setName] = useState(workspace?.name ?? '');
  const [slug, setSlug] = useState('');
  const [color, setColor] = useState(workspace?.color ?? '');
  const { save, error, isPending, hasSent } = useSave();
  const faults = {
    name: name.trim() === '' ? say.nameMissing : undefined,
    slug: slug === '' || slugPattern.test(slug) ? undefined : say.slugWrong,
  };
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const isWrong = faults.name !== undefined || faults.slug !== undefined;
    void save(isWrong ? undefined : { name, color: color === '' ? null : color, ...(slug === '' ? {} : { slug }) }).then(
      (isSaved) => isSaved && setSlug(''),
    );
  };
  return (
    <form className={page.narrowForm} onSubmit={send} noValidate>
      <TextField
        label={say.name}
        value={name}
        onChange={setName}
        maxLength={100}
        isReadOnly={isReadOnly}
        fault={hasSent ? faults.name : undefined}
      />
      {!isReadOnly && (
        <TextField
          label={say.slug}
          help={say.slugHelp}
          value={slug}
          onChange={setSlug}
          maxLength={63}
          autoComplete="off"
          spellCheck="false"
          fault={hasSent ? faults.slug : undefined}
        />
      )}
      {!isReadOnly && <ColorField value={color} onChange={setColor} />}
      {error !== undefined && <Problem error={error} />}
      {!isReadOnly && (
        <Button type="submit" look="primary" isPending={isPending}>
          {say.save}
        </Button>
      )}
    </form>
  );
}

function useSave() {
  const say = useWords('settings').workspace;
  const queryClient = useQueryClient();
  const { workspace } = useSession();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const [hasSent, setHasSent] = useState(false);
  const save = async (body: Parameters<typeof updateWorkspace>[0]['body'] | undefined): Promise<boolean> => {
    setHasSent(true);
    if (body === undefined || workspace === undefined || isPending) return false;
    setIsPending(true);
    setError(undefined);
    try {
      await updateWorkspace({ client, path: { id: workspace.id }, body });
      await Promise.all(['session', 'workspaces'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
      toast({ text: say.saved });
      return true;
    } catch (thrown) {
      noticeEndedSession(thrown);
      setError(thrown);
      return false;
    } finally {
      setIsPending(false);
    }
  };
  return { save, error, isPending, hasSent };
}

function ColorField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const say = useWords('settings').workspace;
  return (
    <div className={style.colorField} role="group" aria-label={say.color}>
      <span className={style.label}>{say.color}</span>
      <span className="muted">{say.colorHelp}</span>
      <div className={style.colorLine}>
        <Checkbox isSelected={value === ''} onChange={(isNone) => onChange(isNone ? '' : firstColor)}>
          {say.noColor}
        </Checkbox>
        {value !== '' && (
          <input
            type="color"
            aria-label={say.color}
            className={style.color}
            // The API takes any text for a color; the browser's picker knows only this form.
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : firstColor}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </div>
    </div>
  );
}

function Erase({ isOwner }: { isOwner: boolean }) {
  const say = useWords('settings').workspace;
  const { workspace } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  if (!isOwner || workspace === undefined) return <p className="muted">{say.eraseForOwners}</p>;
  return (
    <>
      <div className={page.frame}>
        <p>{say.eraseHelp}</p>
        <Button look="danger" onPress={() => setIsAsking(true)}>
          {say.erase}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={say.eraseQuestion(workspace.name)}
          onClose={() => setIsAsking(false)}
          submitLabel={say.erase}
          typeToConfirm={workspace.name}
          onSubmit={async () => {
            await eraseWorkspace({ client, path: { id: workspace.id }, query: { forever: 'true' } });
            // Into another workspace, with nothing of this one left in the page.
            location.assign('/console/forms');
          }}
        >
          <p>{say.eraseConsequence}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
