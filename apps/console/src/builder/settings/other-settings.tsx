import { hasSetting, otherKey, type Field } from '@sheaf/contracts';
import { Switch, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { useFaultText } from './part-field';

/** The option *Other*, whose text is an answer of its own. */
export function OtherSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const fault = useFaultText(entry.id, 'other');
  if (!hasSetting(field, 'other')) return null;
  const set = (other: Field['other']) => edit({ do: 'change', id: entry.id, to: { other } });
  return (
    <>
      <Switch isSelected={field.other !== undefined} onChange={(isOffered) => set(isOffered ? { label: say.otherOption } : undefined)}>
        {say.hasOther}
      </Switch>
      {field.other && (
        <TextField
          label={say.otherLabel}
          help={say.otherHelp(otherKey(field.key))}
          value={field.other.label}
          fault={fault}
          maxLength={200}
          onChange={(label) => set({ label })}
        />
      )}
    </>
  );
}
