import { useRef } from 'react';
import { TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { AnswerMenu } from './answer-menu';
import { useFaultText } from './part-field';

/** A longer text of an item, which may show answers; it is taken away when it is emptied. */
export function FormattedField({ entry, part, label }: { entry: Entry; part: 'help' | 'text'; label: string }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const area = useRef<HTMLTextAreaElement>(null);
  const { id, item } = entry;
  const change = (text: string) => edit({ do: 'change', id, to: { [part]: text === '' ? undefined : text } });
  const value = (item as Partial<Record<typeof part, string>>)[part] ?? '';
  return (
    <>
      <TextField
        label={label}
        help={say.formatting}
        value={value}
        fault={useFaultText(id, part)}
        onChange={change}
        isLong
        rows={2}
        areaRef={area}
      />
      <AnswerMenu entry={entry} label={label} value={value} control={area} onChange={change} />
    </>
  );
}
