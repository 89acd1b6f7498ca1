import { createServiceAccount, type Scope, type ServiceAccount } from '@sheaf/client';
import { useState } from 'react';
import { client } from '../../api/client';
import { FormDialog } from '../../parts/dialog';
import { Checkbox, TextField } from '../../parts/fields';
import { ShownOnce } from '../../parts/shown-once';
import { useWords } from '../../words/use-words';
import style from '../settings.module.css';
import { isScope, scopes as allScopes } from './scopes';

interface Wanted {
  name: string;
  scopes: Scope[];
}

/** Creates a service account and shows its key this once, or changes one. */
export function AccountDialog({
  account,
  onClose,
  onChanged,
  onChange,
}: {
  account?: ServiceAccount;
  onClose: () => void;
  onChanged: () => Promise<unknown>;
  /** Instead of creating an account. */
  onChange?: (wanted: Wanted) => Promise<unknown>;
}) {
  const say = useWords('settings').instance;
  const common = useWords('keys');
  const [name, setName] = useState(account?.name ?? '');
  const [scopes, setScopes] = useState<readonly Scope[]>(account?.scopes.filter(isScope) ?? ['forms:read', 'submissions:read']);
  const [key, setKey] = useState<string>();
  const toggle = (scope: Scope, isChosen: boolean) =>
    setScopes(allScopes.filter((each) => (each === scope ? isChosen : scopes.includes(each))));
  const send = async () => {
    const wanted = { name, scopes: [...scopes] };
    if (onChange) await onChange(wanted);
    else setKey((await createServiceAccount({ client, body: wanted })).key);
    await onChanged();
  };
  return (
    <FormDialog
      title={account ? say.editAccount : say.newAccount}
      onClose={onClose}
      submitLabel={account ? say.save : say.createAccount}
      isIncomplete={name.trim() === '' || scopes.length === 0}
      staysOpen={!onChange}
      result={
        key === undefined ? undefined : (
          <ShownOnce label={common.key} value={key}>
            <p>{say.keyOnceHelp}</p>
          </ShownOnce>
        )
      }
      onSubmit={send}
    >
      <TextField label={say.name} help={say.nameHelp} value={name} onChange={setName} maxLength={100} autoComplete="off" autoFocus />
      <fieldset className={style.choices}>
        <legend className={style.label}>{say.scopes}</legend>
        <p className="muted">{say.scopesHelp}</p>
        {allScopes.map((scope) => (
          <Checkbox key={scope} isSelected={scopes.includes(scope)} onChange={(isChosen) => toggle(scope, isChosen)}>
            <span>
              {say[scope]} <code className="muted">{scope}</code>
            </span>
          </Checkbox>
        ))}
        {scopes.length === 0 && <p className="fault">{say.needsScope}</p>}
      </fieldset>
    </FormDialog>
  );
}
