import type { Field } from '@sheaf/contracts';
import { TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { settingsWords } from '../settings-words';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** The name under which programs find the answer. */
export function KeySettings({ entry: { id }, field }: { entry: Entry; field: Field }) {
  const say = useWords(settingsWords);
  const { edit, published } = useEditing();
  return (
    <Settings title={say.advanced}>
      <TextField
        label={say.key}
        help={published.has(field.key) ? say.keyPublished : say.keyHelp}
        value={field.key}
        fault={useFaultText(id, 'key')}
        onChange={(key) => edit({ do: 'key', id, key })}
        autoCorrect="off"
        spellCheck="false"
      />
    </Settings>
  );
}
