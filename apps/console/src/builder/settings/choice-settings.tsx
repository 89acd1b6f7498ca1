import { hasSetting, traitsOf, type Field } from '@sheaf/contracts';
import { Select, Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { useFaultText } from './part-field';

/** The look of a choice, and whether each respondent gets the options in an order of their own. */
export function ChoiceSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const fault = useFaultText(entry.id, 'appearance');
  if (!hasSetting(field, 'shuffle')) return null;
  const { appearances = [] } = traitsOf(field);
  const change = (to: Partial<Field>) => edit({ do: 'change', id: entry.id, to });
  // A list that may be a dropdown depends on the number of options, unless its author decides.
  const isDecided = !appearances.includes('dropdown');
  const [usual] = appearances;
  return (
    <>
      {appearances.length > 0 && (
        <Select
          label={say.appearance}
          value={field.appearance ?? (isDecided && usual ? usual : 'automatic')}
          options={[
            ...(isDecided ? [] : [{ value: 'automatic' as const, label: say.lookAutomatic }]),
            ...appearances.map((look) => ({ value: look, label: say.looks[look] })),
          ]}
          fault={fault}
          onChange={(look) => change({ appearance: look === 'automatic' || (isDecided && look === usual) ? undefined : look })}
        />
      )}
      <div>
        <Switch isSelected={field.shuffle === true} onChange={(isShuffled) => change({ shuffle: isShuffled || undefined })}>
          {say.shuffle}
        </Switch>
        {field.shuffle === true && <p className="muted">{say.shuffleHelp}</p>}
      </div>
    </>
  );
}
