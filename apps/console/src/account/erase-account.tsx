import { eraseProfile, type Profile } from '@sheaf/client';
import { useState } from 'react';
import { client } from '../api/client';
import { Button, ButtonLink } from '../parts/button';
import { FormDialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import style from '../parts/page.module.css';

/** Erases the person for good, once they have typed their address and their password. */
export function EraseAccount({ profile }: { profile: Profile }) {
  const say = useWords('account');
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <div className={style.frame}>
        <p>{say.eraseHelp}</p>
        {profile.has_password ? (
          <Button look="danger" onPress={() => setIsAsking(true)}>
            {say.erase}
          </Button>
        ) : (
          <>
            <p className="muted">{say.eraseNeedsPassword}</p>
            <ButtonLink href="/console/account/password">{say.setPassword}</ButtonLink>
          </>
        )}
      </div>
      {isAsking && <EraseDialog email={profile.email} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function EraseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const say = useWords('account');
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={say.eraseQuestion}
      onClose={onClose}
      look="danger"
      submitLabel={say.erase}
      isIncomplete={typed.trim() !== email || password === ''}
      onSubmit={async () => {
        await eraseProfile({ client, query: { forever: 'true' }, body: { password } });
        // Loaded anew, so that nothing of this person stays in memory.
        location.assign('/console/sign-in');
      }}
    >
      <p>{say.eraseConsequence}</p>
      <TextField label={say.typeEmail(email)} value={typed} onChange={setTyped} autoComplete="off" autoFocus />
      <TextField label={say.password} type="password" value={password} onChange={setPassword} autoComplete="current-password" />
    </FormDialog>
  );
}
