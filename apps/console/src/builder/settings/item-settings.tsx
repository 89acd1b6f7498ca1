import { ArrowDown, ArrowLeft, ArrowUp, Copy, Trash2 } from 'lucide-react';
import {
  hasFormattedLabel,
  hasSetting,
  isCheck,
  isComputed,
  isEnding,
  isHidden,
  isRepeat,
  mainPartOf,
  mainTextOf,
  type Field,
  type FormCheck,
  type FormElement,
  type FormEnding,
} from '@sheaf/contracts';
import { useRef, useState } from 'react';
import { IconButton, Button } from '../../parts/button';
import { Select, Switch, TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import style from '../editor/editor.module.css';
import type { ItemActions } from '../editor/item-list';
import { isField, type Entry } from '../model/contents';
import { fieldTypesInOrder, isForItems, type Kind } from '../model/kinds';
import { AnswerMenu } from './answer-menu';
import { CheckCondition, RuleCondition } from './check-condition';
import { ChoiceSettings } from './choice-settings';
import { ConditionSettings, ConditionSwitch } from './condition-settings';
import { AddressSettings } from './address-settings';
import { CountrySettings } from './country-settings';
import { FillingSettings } from './filling-settings';
import { FormulaSettings } from './formula-settings';
import { FormattedField } from './formatted-field';
import { KeySettings } from './key-settings';
import { LimitSettings } from './limit-settings';
import { MatrixSettings } from './matrix-settings';
import { MessageSettings } from './message-settings';
import { OptionSettings } from './option-settings';
import { OtherSettings } from './other-settings';
import { PartField, useFaultText } from './part-field';
import { RatingSettings } from './rating-settings';
import { RepeatSettings } from './repeat-settings';

/** The settings of one field or element. */
export function ItemSettings({
  entry,
  actions,
  onAddInner,
}: {
  entry: Entry;
  actions: ItemActions;
  /** Adds a field to a repeat. */
  onAddInner: (kind: Kind) => void;
}) {
  const say = useWords('builder').page;
  const { item } = entry;
  return (
    <>
      <Actions entry={entry} actions={actions} />
      {isField(item) ? (
        <FieldSettings entry={entry} field={item} onAddInner={onAddInner} />
      ) : isCheck(item) ? (
        <CheckSettings entry={entry} check={item} />
      ) : isEnding(item) ? (
        <EndingSettings entry={entry} ending={item} />
      ) : (
        <ElementSettings entry={entry} element={item} />
      )}
      <p className="muted">{say.shortcuts}</p>
    </>
  );
}

function Actions({ entry, actions }: { entry: Entry; actions: ItemActions }) {
  const say = useWords('builder').page;
  const { select } = useEditing();
  const { isFirst, isLast, move, duplicate, remove } = actions;
  const text = mainTextOf(entry.item);
  const label = text.trim() === '' ? say.untitled : text;
  return (
    <div className={style.panelHead}>
      <h2 className={style.panelTitle}>
        <span className="visually-hidden">{say.settingsOf(label)}</span>
        <bdi aria-hidden>{label}</bdi>
      </h2>
      <div className={style.actions}>
        <span className={style.back}>
          <Button isSmall icon={ArrowLeft} onPress={() => select(undefined)}>
            {say.backToFields}
          </Button>
        </span>
        <IconButton isSmall icon={ArrowUp} label={say.moveUp} isDisabled={isFirst} onPress={() => move(-1)} />
        <IconButton isSmall icon={ArrowDown} label={say.moveDown} isDisabled={isLast} onPress={() => move(1)} />
        <IconButton isSmall icon={Copy} label={say.duplicate} onPress={duplicate} />
        <IconButton isSmall icon={Trash2} label={say.delete} onPress={remove} />
      </div>
    </div>
  );
}

function FieldSettings({ entry, field, onAddInner }: { entry: Entry; field: Field; onAddInner: (kind: Kind) => void }) {
  const say = useWords('builder').settings;
  const kindSay = useWords('builder').kinds;
  const { edit } = useEditing();
  const { id } = entry;
  const change = (to: Partial<Field>) => edit({ do: 'change', id, to });
  return (
    <>
      <LabelField entry={entry} label={field.must_be_true === true ? say.statement : say.question} />
      <FormattedField entry={entry} part="help" label={say.help} />
      {!isRepeat(field) && (
        <Select
          label={say.type}
          value={field.type}
          options={typesBeside(entry).map((type) => ({ value: type, label: kindSay[type] }))}
          onChange={(type) => type !== field.type && edit({ do: 'retype', id, type })}
        />
      )}
      {!isComputed(field) && (
        <Switch
          isSelected={field.required}
          onChange={(required) => change({ required, ...(required ? {} : { must_be_true: undefined, required_if: undefined }) })}
        >
          {say.required}
        </Switch>
      )}
      <FormulaSettings entry={entry} field={field} />
      {field.required && !isHidden(field) && <ConditionSwitch entry={entry} part="required_if" />}
      {hasSetting(field, 'must_be_true') && (
        <Switch
          isSelected={field.must_be_true === true}
          onChange={(isMust) => change(isMust ? { must_be_true: true, required: true } : { must_be_true: undefined })}
        >
          {say.mustBeTrue}
        </Switch>
      )}
      {hasSetting(field, 'options') && <OptionSettings entry={entry} field={field} part="options" />}
      <MatrixSettings entry={entry} field={field} />
      <OtherSettings entry={entry} field={field} />
      <ChoiceSettings entry={entry} field={field} />
      <CountrySettings entry={entry} field={field} />
      <AddressSettings entry={entry} field={field} />
      <RepeatSettings entry={entry} field={field} onAddInner={onAddInner} />
      <LimitSettings entry={entry} field={field} />
      <RatingSettings entry={entry} field={field} />
      <MessageSettings entry={entry} field={field} />
      <FillingSettings entry={entry} field={field} />
      <ConditionSettings entry={entry} />
      <KeySettings entry={entry} field={field} />
    </>
  );
}

/** The types that a field can have in its place: a repeat and a field are no types of each other. */
const typesBeside = ({ in: repeat }: Entry) =>
  fieldTypesInOrder.filter((type) => (repeat === undefined ? !isRepeat({ type }) : isForItems(type)));

function ElementSettings({ entry, element }: { entry: Entry; element: FormElement }) {
  const say = useWords('builder').settings;
  return (
    <>
      <LabelField entry={entry} label={element.type === 'statement' ? say.statement : say.heading} />
      <FormattedField entry={entry} part="help" label={say.help} />
      <ConditionSettings entry={entry} />
    </>
  );
}

function CheckSettings({ entry, check }: { entry: Entry; check: FormCheck }) {
  const say = useWords('builder').settings;
  return (
    <>
      <LabelField entry={entry} label={say.checkMessage} help={say.checkMessageHelp} />
      <CheckCondition entry={entry} check={check} />
    </>
  );
}

function EndingSettings({ entry, ending }: { entry: Entry; ending: FormEnding }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const { id } = entry;
  return (
    <>
      <p className="muted">{say.endingHelp}</p>
      <RuleCondition title={say.endsWhen} entry={entry} rule={ending} />
      <LabelField entry={entry} label={say.endingTitle} />
      <FormattedField entry={entry} part="text" label={say.endingText} />
      <PartField entry={entry} part="redirect_url" label={say.endingRedirect} help={say.endingRedirectHelp} type="url" />
      <TextField
        label={say.endingName}
        help={say.endingNameHelp}
        value={ending.name}
        fault={useFaultText(id, 'name')}
        onChange={(name) => edit({ do: 'change', id, to: { name } })}
        autoCorrect="off"
        spellCheck="false"
      />
    </>
  );
}

function LabelField({ entry, label, help }: { entry: Entry; label: string; help?: string }) {
  const { id, item } = entry;
  const say = useWords('builder').settings;
  const { edit, added } = useEditing();
  const part = mainPartOf(item);
  const text = mainTextOf(item);
  const isFormatted = hasFormattedLabel(item);
  // Not anew with each letter: another field would take the place of the one that somebody types in.
  const [hasLines] = useState(() => text.includes('\n'));
  // The author who has just added it types its label next, in place of the one that it has.
  const control = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const begin = (input: HTMLInputElement | HTMLTextAreaElement | null) => {
    control.current = input;
    if (added !== id || !input || input.dataset.begun !== undefined) return;
    input.dataset.begun = '';
    input.focus();
    input.select();
  };
  const change = (changed: string) => edit({ do: 'change', id, to: { [part]: changed } });
  return (
    <>
      <TextField
        label={label}
        value={text}
        help={isFormatted ? say.formatting : help}
        {...(isFormatted || isCheck(item) || hasLines ? { isLong: true, rows: 2 } : {})}
        fault={useFaultText(id, part)}
        onChange={change}
        inputRef={begin}
        areaRef={begin}
      />
      {!isCheck(item) && !isHidden(item) && <AnswerMenu entry={entry} label={label} value={text} control={control} onChange={change} />}
    </>
  );
}
