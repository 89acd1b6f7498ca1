import type { Webhook, WebhookRequest } from '@sheaf/client';
import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../parts/button';
import { TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import style from './webhooks.module.css';

/** A header as the dialog has it. `isKept`: its value is stored, cannot be read, and stays unless another one is typed. */
export interface HeaderRow {
  key: number;
  name: string;
  value: string;
  isKept: boolean;
}

export const headerRows = (webhook: Webhook | undefined): HeaderRow[] =>
  (webhook?.headers ?? []).map(({ name }, key) => ({ key, name, value: '', isKept: true }));

const isUsed = ({ name, value }: HeaderRow) => name.trim() !== '' || value !== '';

/** The headers to send; undefined if there neither are nor were any, so that nothing is asked of a server that does not know them. */
export function wantedHeaders(rows: readonly HeaderRow[], webhook: Webhook | undefined): WebhookRequest['headers'] {
  const used = rows.filter(isUsed);
  if (used.length === 0 && (webhook?.headers ?? []).length === 0) return undefined;
  return used.map(({ name, value, isKept }) => ({ name: name.trim(), ...(isKept && value === '' ? {} : { value }) }));
}

/** Names and values of headers. Values are never shown, also while they are typed: somebody may look on. */
export function HeaderFields({ rows, onChange }: { rows: readonly HeaderRow[]; onChange: (rows: HeaderRow[]) => void }) {
  const say = useWords('webhooks');
  const change = (key: number, part: Partial<HeaderRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1;
  return (
    <fieldset className={style.events}>
      <legend className={style.legend}>{say.ownHeaders}</legend>
      <p className="muted">{say.ownHeadersHelp}</p>
      {rows.map(({ key, name, value, isKept }, at) => (
        <div key={key} className={style.headerRow}>
          <TextField
            label={say.headerName(at + 1)}
            value={name}
            onChange={(to) => change(key, { name: to })}
            placeholder="Authorization"
            isReadOnly={isKept}
            autoComplete="off"
          />
          <TextField
            label={say.headerValue(at + 1)}
            type="password"
            value={value}
            onChange={(to) => change(key, { value: to })}
            placeholder={isKept ? say.headerKept : ''}
            autoComplete="new-password"
          />
          <IconButton icon={Trash2} label={say.removeHeader(at + 1)} onPress={() => onChange(rows.filter((row) => row.key !== key))} />
        </div>
      ))}
      <div>
        <Button isSmall icon={Plus} onPress={() => onChange([...rows, { key: nextKey, name: '', value: '', isKept: false }])}>
          {say.addHeader}
        </Button>
      </div>
    </fieldset>
  );
}
