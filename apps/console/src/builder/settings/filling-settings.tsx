import type { Field } from '@sheaf/contracts';
import { Checkbox, NumberField, Select, Switch, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { partsOf } from '../model/kinds';
import { autocompleteTokens } from './autocomplete-tokens';
import { PartField, useFaultText } from './part-field';
import { Settings } from './settings';

/** What helps people to fill in a field: a placeholder, a default, a value from the address, and what their browser knows. */
export function FillingSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const { id } = entry;
  const { type } = field;
  if (type === 'file') return null;
  const change = (to: Partial<Field>) => edit({ do: 'change', id, to });
  const canAutocomplete = ['short_text', 'long_text', 'email', 'url', 'phone', 'date', 'select'].includes(type);
  return (
    <Settings title={say.filling}>
      {type === 'hidden' && <p className="muted">{say.hiddenHelp(field.key)}</p>}
      {partsOf[type].includes('placeholder') && <PartField entry={entry} part="placeholder" label={say.placeholder} />}
      <DefaultField entry={entry} field={field} />
      {type !== 'hidden' && (
        <div>
          <Switch isSelected={field.prefill === true} onChange={(prefill) => change({ prefill: prefill || undefined })}>
            {say.prefill}
          </Switch>
          {field.prefill === true && <p className="muted">{say.prefillHelp(field.key)}</p>}
        </div>
      )}
      {canAutocomplete && (
        <Select
          label={say.autocomplete}
          help={say.autocompleteHelp}
          value={field.autocomplete ?? 'nothing'}
          options={(['nothing', ...autocompleteTokens] as const).map((token) => ({ value: token, label: say[token] }))}
          onChange={(token) => change({ autocomplete: token === 'nothing' ? undefined : token })}
        />
      )}
    </Settings>
  );
}

const maxCheckboxes = 60;

function DefaultField({ entry: { id }, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const fault = useFaultText(id, 'default');
  const set = (value: Field['default']) => edit({ do: 'change', id, to: { default: value } });
  const { type, default: value, options = [] } = field;
  switch (type) {
    case 'number':
    case 'integer':
    case 'rating':
      return (
        <NumberField
          label={say.default}
          fault={fault}
          value={typeof value === 'number' ? value : NaN}
          formatOptions={{ maximumFractionDigits: type === 'number' ? 10 : 0 }}
          onChange={(number) => set(Number.isNaN(number) ? undefined : number)}
        />
      );
    case 'boolean':
    case 'select': {
      const choices = type === 'boolean' ? yesAndNo(say) : options.map((option) => ({ value: `=${option.value}`, label: option.label }));
      return (
        <Select
          label={say.default}
          fault={fault}
          value={value === undefined ? '' : `=${String(value)}`}
          options={[{ value: '', label: say.nothing }, ...choices]}
          onChange={(next) => set(next === '' ? undefined : type === 'boolean' ? next === '=true' : next.slice(1))}
        />
      );
    }
    case 'multi_select': {
      const chosen = Array.isArray(value) ? value : [];
      if (options.length > maxCheckboxes) return null;
      return (
        <fieldset>
          <legend>{say.default}</legend>
          {options.map((option, index) => (
            <Checkbox
              key={index}
              isSelected={chosen.includes(option.value)}
              onChange={(isChosen) => {
                const next = options.flatMap((each) =>
                  (each.value === option.value ? isChosen : chosen.includes(each.value)) ? [each.value] : [],
                );
                set(next.length > 0 ? next : undefined);
              }}
            >
              <bdi>{option.label}</bdi>
            </Checkbox>
          ))}
        </fieldset>
      );
    }
    case 'file':
      return null;
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'date':
    case 'time':
    case 'datetime':
    case 'hidden':
      return (
        <TextField
          label={say.default}
          fault={fault}
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => set(text === '' ? undefined : text)}
          {...(type === 'long_text' ? { isLong: true, rows: 2 } : {})}
          {...(type === 'date' || type === 'time' ? { type } : type === 'datetime' ? { type: 'datetime-local' } : {})}
        />
      );
  }
}

const yesAndNo = ({ yes, no }: { yes: string; no: string }) => [
  { value: '=true', label: yes },
  { value: '=false', label: no },
];
