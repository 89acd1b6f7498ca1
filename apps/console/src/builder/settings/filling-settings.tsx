import {
  answerKindOf,
  answerTraitsOf,
  canBePrefilled,
  canHaveDefault,
  countryOptions,
  offeredOptionsOf,
  traitsOf,
  type AnswerTraits,
  type Field,
} from '@sheaf/contracts';
import type { ReactNode } from 'react';
import { Checkbox, NumberField, Select, Switch, TextField } from '../../parts/fields';
import { useLanguage, useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { autocompleteTokens } from './autocomplete-tokens';
import { PartField, useFaultText } from './part-field';
import { Settings } from './settings';

/** The aids to filling in a field: a placeholder, a default, a value from the address, and what their browser knows. */
export function FillingSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const { id } = entry;
  const { given, aids = [] } = traitsOf(field);
  if (given === 'uploaded' || given === 'computed') return null;
  const change = (to: Partial<Field>) => edit({ do: 'change', id, to });
  return (
    <Settings title={say.filling}>
      {given === 'hidden' && <p className="muted">{say.hiddenHelp(field.key)}</p>}
      {aids.includes('placeholder') && <PartField entry={entry} part="placeholder" label={say.placeholder} />}
      <DefaultField entry={entry} field={field} />
      {canBePrefilled(field) && entry.in === undefined && (
        <div>
          <Switch isSelected={field.prefill === true} onChange={(prefill) => change({ prefill: prefill || undefined })}>
            {say.prefill}
          </Switch>
          {field.prefill === true && <p className="muted">{say.prefillHelp(field.key)}</p>}
        </div>
      )}
      {aids.includes('autocomplete') && (
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

interface DefaultProps {
  field: Field;
  fault: string | undefined;
  set: (value: Field['default']) => void;
}

function DefaultField({ entry: { id }, field }: { entry: Entry; field: Field }) {
  const { edit } = useEditing();
  const fault = useFaultText(id, 'default');
  const Control = !canHaveDefault(field) ? undefined : defaults[answerTraitsOf(field).control];
  return Control && <Control field={field} fault={fault} set={(value) => edit({ do: 'change', id, to: { default: value } })} />;
}

function DefaultNumber({ field, fault, set }: DefaultProps) {
  const say = useWords('builder').settings;
  const { default: value } = field;
  return (
    <NumberField
      label={say.default}
      fault={fault}
      value={typeof value === 'number' ? value : NaN}
      formatOptions={{ maximumFractionDigits: answerKindOf(field) === 'whole' ? 0 : 10 }}
      onChange={(number) => set(Number.isNaN(number) ? undefined : number)}
    />
  );
}

function DefaultYesOrNo(props: DefaultProps) {
  const say = useWords('builder').settings;
  const choices = [
    { value: '=true', label: say.yes },
    { value: '=false', label: say.no },
  ];
  return <DefaultChoice {...props} choices={choices} read={(chosen) => chosen === 'true'} />;
}

function DefaultOption(props: DefaultProps) {
  const choices = (offeredOptionsOf(props.field) ?? []).map((option) => ({ value: `=${option.value}`, label: option.label }));
  return <DefaultChoice {...props} choices={choices} read={(chosen) => chosen} />;
}

function DefaultCountry(props: DefaultProps) {
  const choices = countryOptions(props.field, useLanguage()).map(({ value, label }) => ({ value: `=${value}`, label }));
  return <DefaultChoice {...props} choices={choices} read={(chosen) => chosen} />;
}

function DefaultChoice({
  field: { default: value },
  fault,
  set,
  choices,
  read,
}: DefaultProps & { choices: readonly { value: string; label: string }[]; read: (chosen: string) => Field['default'] }) {
  const say = useWords('builder').settings;
  return (
    <Select
      label={say.default}
      fault={fault}
      value={value === undefined ? '' : `=${String(value)}`}
      options={[{ value: '', label: say.nothing }, ...choices]}
      onChange={(next) => set(next === '' ? undefined : read(next.slice(1)))}
    />
  );
}

function DefaultOptions({ field, set }: DefaultProps) {
  const say = useWords('builder').settings;
  const options = offeredOptionsOf(field) ?? [];
  const chosen = Array.isArray(field.default) ? field.default : [];
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

function DefaultText({ field, fault, set }: DefaultProps) {
  const say = useWords('builder').settings;
  const { default: value } = field;
  const { input } = answerTraitsOf(field);
  return (
    <TextField
      label={say.default}
      fault={fault}
      value={typeof value === 'string' ? value : ''}
      onChange={(text) => set(text === '' ? undefined : text)}
      {...(traitsOf(field).isLong ? { isLong: true, rows: 2 } : {})}
      {...(input ? { type: input } : {})}
    />
  );
}

const defaults: Readonly<Record<AnswerTraits['control'], ((props: DefaultProps) => ReactNode) | undefined>> = {
  text: DefaultText,
  number: DefaultNumber,
  truth: DefaultYesOrNo,
  moment: DefaultText,
  country: DefaultCountry,
  option: DefaultOption,
  options: DefaultOptions,
  parts: undefined,
  matrix: undefined,
  signature: undefined,
  items: undefined,
  file: undefined,
};
