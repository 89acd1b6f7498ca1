import { useFormats } from '../words/use-formats';
import { Button } from './button';
import { Name, Rows } from './rows';
import { Since } from './states';

interface Key {
  id: string;
  name?: string;
  prefix: string;
  created_at: string;
  last_used_at?: string;
  expires_at?: string;
}

interface KeyTableProps<K extends Key> {
  label: string;
  keys: readonly K[];
  onRevoke: (key: K) => void;
  /** `keyName` where the keys have names. */
  say: { keyName?: string; key: string; created: string; lastUsed: string; expires: string; never: string; revoke: string };
}

/** Keys of the API, by their beginnings. */
export function KeyTable<K extends Key>({ label, keys, onRevoke, say }: KeyTableProps<K>) {
  const formats = useFormats();
  const never = <span className="muted">{say.never}</span>;
  return (
    <Rows
      label={label}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        say.keyName !== undefined && { head: say.keyName, cell: ({ name = '' }) => <Name name={name} /> },
        { head: say.key, cell: ({ prefix }) => <code>{prefix}…</code> },
        { head: say.created, cell: (key) => <Since time={key.created_at} /> },
        { head: say.lastUsed, cell: ({ last_used_at: time }) => (time === undefined ? never : <Since time={time} />) },
        { head: say.expires, cell: ({ expires_at: time }) => (time === undefined ? never : formats.date(time)) },
        {
          head: say.revoke,
          kind: 'actions',
          cell: (key) => (
            <Button isSmall look="quiet" onPress={() => onRevoke(key)} aria-label={`${say.revoke}: ${key.name ?? key.prefix}`}>
              {say.revoke}
            </Button>
          ),
        },
      ]}
    />
  );
}
