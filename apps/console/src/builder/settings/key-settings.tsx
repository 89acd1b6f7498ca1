import type { Field } from '@sheaf/contracts';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { keysBeside } from '../model/edits';
import { keyFault } from '../model/faults';
import { useFaultText } from './part-field';
import { Settings } from './settings';
import { TypedField } from './typed-field';

/** The name under which programs find the answer. */
export function KeySettings({ entry: { id }, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit, published, state } = useEditing();
  const check = (key: string) => {
    const others = keysBeside(state.history.present, id);
    const code = keyFault(key, others);
    return { fault: code && say[code], isRefused: others.has(key) };
  };
  return (
    <Settings title={say.advanced}>
      <TypedField
        label={say.key}
        help={published.has(field.key) ? say.keyPublished : say.keyHelp}
        value={field.key}
        fault={useFaultText(id, 'key')}
        check={check}
        onApply={(key) => edit({ do: 'key', id, key })}
        autoCorrect="off"
        spellCheck="false"
      />
    </Settings>
  );
}
