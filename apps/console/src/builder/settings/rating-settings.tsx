import { hasSetting, nps, traitsOf, type Field } from '@sheaf/contracts';
import { Select, Switch } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { PartField, useFaultText } from './part-field';
import { Settings } from './settings';

/** The look of a scale, what its ends mean, and its score. */
export function RatingSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const { appearances = [] } = traitsOf(field);
  const scoreFault = useFaultText(entry.id, 'score');
  const lookFault = useFaultText(entry.id, 'appearance');
  if (!hasSetting(field, 'score')) return null;
  const change = (to: Partial<Field>) => edit({ do: 'change', id: entry.id, to });
  return (
    <Settings title={say.scale}>
      <Select
        label={say.appearance}
        value={field.appearance ?? appearances[0] ?? 'numbers'}
        options={appearances.map((look) => ({ value: look, label: say.looks[look] }))}
        fault={lookFault}
        onChange={(look) => change({ appearance: look === appearances[0] ? undefined : look })}
      />
      <PartField entry={entry} part="low_label" label={say.lowLabel} />
      <PartField entry={entry} part="high_label" label={say.highLabel} />
      <Switch
        isSelected={field.score === 'nps'}
        onChange={(isScored) =>
          change(isScored ? { score: 'nps', min: nps.min, max: nps.max, appearance: undefined } : { score: undefined })
        }
      >
        {say.nps}
      </Switch>
      {scoreFault !== undefined && <p className="fault">{scoreFault}</p>}
    </Settings>
  );
}
