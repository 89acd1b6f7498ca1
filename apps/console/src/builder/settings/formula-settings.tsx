import { fieldsOfItem, formats, isComputed, isFile, isNumeric, isRepeat, type Field } from '@sheaf/contracts';
import { Select, Switch, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { earlierFor, type Entry } from '../model/contents';
import { useFaultText } from './part-field';
import { Settings } from './settings';

const usualCurrency = 'eur';

/** The formula of a calculated field, and how its answer is written. */
export function FormulaSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit, state } = useEditing();
  const formulaFault = useFaultText(entry.id, 'formula');
  const formatFault = useFaultText(entry.id, 'format');
  const currencyFault = useFaultText(entry.id, 'currency');
  if (!isComputed(field)) return null;
  const change = (to: Partial<Field>) => edit({ do: 'change', id: entry.id, to });
  const { entries } = state.history.present;
  const earlier = earlierFor(entry, entries).flatMap((each): { text: string; label: string }[] => {
    if (isFile(each)) return [];
    if (!isRepeat(each)) return [{ text: each.key, label: `${each.label} (${each.key})` }];
    const numbers = fieldsOfItem(each).filter(isNumeric);
    return [
      { text: `count(${each.key})`, label: `${each.label}: count(${each.key})` },
      ...numbers.map(({ key, label }) => ({ text: `sum(${each.key}.${key})`, label: `${label}: sum(${each.key}.${key})` })),
    ];
  });
  const { formula = '', format = 'number', currency } = field;
  return (
    <Settings title={say.calculation}>
      <TextField
        label={say.formula}
        help={say.formulaHelp}
        value={formula}
        fault={formulaFault}
        onChange={(text) => change({ formula: text })}
        isLong
        rows={3}
        autoCorrect="off"
        spellCheck="false"
        dir="ltr"
      />
      {earlier.length > 0 && (
        <Select
          label={say.addName}
          value={null}
          placeholder={say.chooseName}
          options={earlier.map(({ text, label }) => ({ value: text, label }))}
          onChange={(text) => change({ formula: formula === '' || formula.endsWith(' ') ? formula + text : `${formula} ${text}` })}
        />
      )}
      <Select
        label={say.format}
        value={format}
        options={formats.map((each) => ({ value: each, label: say.formats[each] }))}
        fault={formatFault}
        onChange={(next) =>
          change({ format: next === 'number' ? undefined : next, currency: next === 'currency' ? (currency ?? usualCurrency) : undefined })
        }
      />
      {format === 'currency' && (
        <TextField
          label={say.currency}
          value={(currency ?? '').toUpperCase()}
          fault={currencyFault}
          onChange={(code) => change({ currency: code.trim().toLowerCase() })}
          autoCorrect="off"
          spellCheck="false"
        />
      )}
      <Switch isSelected={field.shown !== false} onChange={(isShown) => change({ shown: isShown ? undefined : false })}>
        {say.shownToPeople}
      </Switch>
    </Settings>
  );
}
