import { answerKindOf, countSettings, hasSetting, isRepeat, type Field, type Setting } from '@sheaf/contracts';
import { NumberField, Switch, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import type { Entry } from '../model/contents';
import { Settings } from './settings';
import { PartField, PartNumber, useFaultText } from './part-field';

/** As the pages of forms count them. */
const megabyte = 1_048_576;

/** The bounds of answers. */
export function LimitSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const has = (setting: Setting) => hasSetting(field, setting);
  // Those of a repeat are of its items.
  if (isRepeat(field)) return null;
  const isWhole = answerKindOf(field) === 'whole';
  if (!(['min', 'min_length', 'min_date', 'min_choices', 'accept', 'unique', ...countSettings] as const).some(has)) return null;
  return (
    <Settings title={say.limits}>
      {has('min') && (
        <div className={style.pair}>
          <PartNumber entry={entry} part="min" label={say.min} isWhole={isWhole} />
          <PartNumber entry={entry} part="max" label={say.max} isWhole={isWhole} />
        </div>
      )}
      {has('min_choices') && (
        <div className={style.pair}>
          <PartNumber entry={entry} part="min_choices" label={say.minChoices} minValue={1} />
          <PartNumber entry={entry} part="max_choices" label={say.maxChoices} minValue={1} />
        </div>
      )}
      {has('min_date') && (
        <div className={style.pair}>
          <PartField entry={entry} part="min_date" label={say.minDate} type="date" />
          <PartField entry={entry} part="max_date" label={say.maxDate} type="date" />
        </div>
      )}
      {countSettings.filter(has).map((part) => (
        <PartNumber key={part} entry={entry} part={part} label={say[part]} help={say[`${part}Help`]} minValue={1} />
      ))}
      {has('min_length') && (
        <>
          <div className={style.pair}>
            <PartNumber entry={entry} part="min_length" label={say.minLength} minValue={0} />
            <PartNumber entry={entry} part="max_length" label={say.maxLength} minValue={1} />
          </div>
          <PartField entry={entry} part="pattern" label={say.pattern} help={say.patternHelp} />
        </>
      )}
      {has('unique') && entry.in === undefined && (
        <div>
          <Switch
            isSelected={field.unique === true}
            onChange={(isOn) => edit({ do: 'change', id: entry.id, to: { unique: isOn || undefined } })}
          >
            {say.unique}
          </Switch>
          {field.unique === true && <p className="muted">{say.uniqueHelp}</p>}
        </div>
      )}
      {has('accept') && <FileLimits entry={entry} field={field} />}
    </Settings>
  );
}

function FileLimits({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const change = (to: Partial<Field>) => edit({ do: 'change', id: entry.id, to });
  return (
    <>
      <TextField
        label={say.accept}
        help={say.acceptHelp}
        value={(field.accept ?? []).join(',')}
        fault={useFaultText(entry.id, 'accept')}
        onChange={(text) => change({ accept: text === '' ? undefined : text.split(',').map((type) => type.trim().toLowerCase()) })}
      />
      <NumberField
        label={say.maxMegabytes}
        value={field.max_bytes === undefined ? NaN : field.max_bytes / megabyte}
        fault={useFaultText(entry.id, 'max_bytes')}
        minValue={0.001}
        onChange={(size) => change({ max_bytes: Number.isNaN(size) ? undefined : Math.round(size * megabyte) })}
      />
      <Switch
        isSelected={field.multiple === true}
        onChange={(isMultiple) => change(isMultiple ? { multiple: true } : { multiple: undefined, max_files: undefined })}
      >
        {say.multiple}
      </Switch>
      {field.multiple === true && <PartNumber entry={entry} part="max_files" label={say.maxFiles} minValue={1} />}
    </>
  );
}
