import { Check, ChevronsUpDown, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { CheckboxButton, CheckboxField, type CheckboxFieldProps } from 'react-aria-components/Checkbox';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { NumberField as AriaNumberField, type NumberFieldProps as AriaNumberFieldProps } from 'react-aria-components/NumberField';
import { Popover } from 'react-aria-components/Popover';
import { RadioGroup as AriaRadioGroup, RadioButton, RadioField } from 'react-aria-components/RadioGroup';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { SwitchButton, SwitchField, type SwitchFieldProps } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';
import { classes } from './classes';
import style from './fields.module.css';
import overlay from './overlay.module.css';
import { Fault, FieldLabel, Help, type FieldTexts } from './text-field';

// Files of their own, because the first page needs nothing else of this one.
export { SearchField } from './search-field';
export { TextField, type FieldTexts, type TextFieldProps } from './text-field';

export function NumberField({
  label,
  help,
  fault,
  isLabelHidden,
  ...props
}: FieldTexts & Omit<AriaNumberFieldProps, 'className' | 'style' | 'children' | 'isInvalid'>) {
  const texts = { label, help, fault, ...(isLabelHidden === undefined ? {} : { isLabelHidden }) };
  return (
    <AriaNumberField {...props} isInvalid={fault !== undefined} validationBehavior="aria" className={style.field ?? ''}>
      <FieldLabel {...texts} />
      <Help {...texts} />
      <Input className={style.input ?? ''} />
      <Fault {...texts} />
    </AriaNumberField>
  );
}

export interface Option<Value extends string> {
  value: Value;
  label: string;
  /** A second line that explains it. */
  help?: string;
}

/** A choice of one from a list that opens. */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  isDisabled = false,
  placeholder,
  ...texts
}: FieldTexts & {
  options: readonly Option<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  isDisabled?: boolean;
  placeholder?: string;
}) {
  return (
    <AriaSelect
      value={value}
      onChange={(key) => key !== null && onChange(key as Value)}
      isDisabled={isDisabled}
      isInvalid={texts.fault !== undefined}
      className={style.field ?? ''}
      {...(placeholder === undefined ? {} : { placeholder })}
    >
      <FieldLabel {...texts} />
      <Help {...texts} />
      <AriaButton className={classes(style.input, style.selectButton)}>
        <SelectValue>{({ isPlaceholder, selectedText, defaultChildren }) => (isPlaceholder ? defaultChildren : selectedText)}</SelectValue>
        <ChevronsUpDown size={14} aria-hidden />
      </AriaButton>
      <Fault {...texts} />
      <Popover className={overlay.popover ?? ''} offset={4}>
        <ListBox className={style.listBox ?? ''} items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className={overlay.item ?? ''}>
              {({ isSelected }) => (
                <>
                  <span className={overlay.grows}>
                    <Text slot="label">{option.label}</Text>
                    {option.help !== undefined && (
                      <Text slot="description" className={style.help ?? ''} elementType="div">
                        {option.help}
                      </Text>
                    )}
                  </span>
                  {isSelected && <Check size={14} aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export function Checkbox({ children, ...props }: Omit<CheckboxFieldProps, 'className' | 'style' | 'children'> & { children?: ReactNode }) {
  return (
    <CheckboxField {...props}>
      <CheckboxButton className={style.choice ?? ''}>
        {({ isSelected, isIndeterminate }) => (
          <>
            <span className={style.box}>
              {isIndeterminate ? <Minus size={14} aria-hidden /> : isSelected && <Check size={14} aria-hidden />}
            </span>
            {children}
          </>
        )}
      </CheckboxButton>
    </CheckboxField>
  );
}

/** Takes effect at once, without a *Save*. */
export function Switch({ children, ...props }: Omit<SwitchFieldProps, 'className' | 'style' | 'children'> & { children: ReactNode }) {
  return (
    <SwitchField {...props}>
      <SwitchButton className={style.choice ?? ''}>
        <span className={style.track} />
        <span>{children}</span>
      </SwitchButton>
    </SwitchField>
  );
}

/** A choice of one, of which all are visible. */
export function RadioGroup<Value extends string>({
  options,
  value,
  onChange,
  isDisabled = false,
  ...texts
}: FieldTexts & { options: readonly Option<Value>[]; value: Value | null; onChange: (value: Value) => void; isDisabled?: boolean }) {
  return (
    <AriaRadioGroup
      value={value}
      onChange={(next) => onChange(next as Value)}
      isDisabled={isDisabled}
      isInvalid={texts.fault !== undefined}
      className={style.field ?? ''}
    >
      <FieldLabel {...texts} />
      <Help {...texts} />
      <div className={style.choices}>
        {options.map((option) => (
          <RadioField key={option.value} value={option.value}>
            <RadioButton className={style.choice ?? ''}>
              <span className={classes(style.box, style.round)} />
              <span>
                {option.label}
                {option.help !== undefined && <span className={classes(style.help)}> {option.help}</span>}
              </span>
            </RadioButton>
          </RadioField>
        ))}
      </div>
      <Fault {...texts} />
    </AriaRadioGroup>
  );
}
