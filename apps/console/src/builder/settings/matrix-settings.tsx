import { isMatrix, type Field } from '@sheaf/contracts';
import { Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { OptionSettings } from './option-settings';

/** The rows and columns of a matrix, and whether a row may have several of them. */
export function MatrixSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  if (!isMatrix(field)) return null;
  return (
    <>
      <OptionSettings entry={entry} field={field} part="rows" />
      <OptionSettings entry={entry} field={field} part="columns" />
      <Switch
        isSelected={field.multiple === true}
        onChange={(isMultiple) => edit({ do: 'change', id: entry.id, to: { multiple: isMultiple || undefined } })}
      >
        {say.severalColumns}
      </Switch>
    </>
  );
}
