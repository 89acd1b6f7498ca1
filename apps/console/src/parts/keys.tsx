import { useState } from 'react';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { Button } from './button';
import { ConfirmDialog } from './dialog';
import { Name, Rows } from './rows';
import { Since } from './states';
import { toast } from './toasts';

interface Key {
  id: string;
  name?: string;
  prefix: string;
  created_at: string;
  last_used_at?: string;
  expires_at?: string;
}

interface KeysProps<K extends Key> {
  label: string;
  keys: readonly K[];
  /** Whether the keys have names. */
  hasNames?: boolean;
  /** The question whether to revoke a key. */
  revokeTitle: (key: K) => string;
  onRevoke: (id: string) => Promise<unknown>;
}

/** Keys of the API, by their beginnings, to be revoked one by one. */
export function Keys<K extends Key>({ label, keys, hasNames = false, revokeTitle, onRevoke }: KeysProps<K>) {
  const say = useWords('keys');
  const formats = useFormats();
  const [revoked, setRevoked] = useState<K>();
  const never = <span className="muted">{say.never}</span>;
  return (
    <>
      <Rows
        label={label}
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          hasNames && { head: say.name, cell: ({ name = '' }) => <Name name={name} /> },
          { head: say.key, cell: ({ prefix }) => <code>{prefix}…</code> },
          { head: say.created, cell: (key) => <Since time={key.created_at} /> },
          { head: say.lastUsed, cell: ({ last_used_at: time }) => (time === undefined ? never : <Since time={time} />) },
          { head: say.expires, cell: ({ expires_at: time }) => (time === undefined ? never : formats.date(time)) },
          {
            head: say.revoke,
            kind: 'actions',
            cell: (key) => (
              <Button isSmall look="quiet" onPress={() => setRevoked(key)} aria-label={`${say.revoke}: ${key.name ?? key.prefix}`}>
                {say.revoke}
              </Button>
            ),
          },
        ]}
      />
      {revoked && (
        <ConfirmDialog
          title={revokeTitle(revoked)}
          onClose={() => setRevoked(undefined)}
          submitLabel={say.revokeKey}
          onSubmit={async () => {
            await onRevoke(revoked.id);
            toast({ text: say.revoked });
          }}
        >
          <p>{say.revokeHelp}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
