import { Check, ChevronsUpDown, Minus, Search } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { CheckboxButton, CheckboxField, type CheckboxFieldProps } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { NumberField as AriaNumberField, type NumberFieldProps as AriaNumberFieldProps } from 'react-aria-components/NumberField';
import { Popover } from 'react-aria-components/Popover';
import { RadioGroup as AriaRadioGroup, RadioButton, RadioField } from 'react-aria-components/RadioGroup';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { SwitchButton, SwitchField, type SwitchFieldProps } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { classes } from './classes';
import style from './fields.module.css';
import overlay from './overlay.module.css';

/** Around every control: its label, help, and what is wrong with it. */
export interface FieldTexts {
  label: string;
  help?: ReactNode;
  /** What is wrong; also marks the control as invalid. */
  fault?: string | undefined;
  /** Shows the label to screen readers only, where the place makes it plain. */
  isLabelHidden?: boolean;
}

const FieldLabel = ({ label, isLabelHidden }: FieldTexts) => (
  <Label className={classes(style.label, isLabelHidden === true && 'visually-hidden')}>{label}</Label>
);

const Help = ({ help }: FieldTexts) =>
  help === undefined ? null : (
    <Text slot="description" className={style.help ?? ''}>
      {help}
    </Text>
  );

const Fault = ({ fault }: FieldTexts) => <FieldError className={style.fault ?? ''}>{fault}</FieldError>;

export interface TextFieldProps extends FieldTexts, Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'isInvalid'> {
  placeholder?: string | undefined;
  /** Several lines. */
  isLong?: boolean;
  rows?: number;
  inputRef?: Ref<HTMLInputElement>;
  areaRef?: Ref<HTMLTextAreaElement>;
}

export function TextField({ label, help, fault, isLabelHidden, placeholder, isLong, rows, inputRef, areaRef, ...props }: TextFieldProps) {
  const texts = { label, help, fault, ...(isLabelHidden === undefined ? {} : { isLabelHidden }) };
  return (
    <AriaTextField {...props} isInvalid={fault !== undefined} validationBehavior="aria" className={style.field ?? ''}>
      <FieldLabel {...texts} />
      <Help {...texts} />
      {isLong === true ? (
        <TextArea
          className={style.input ?? ''}
          {...(areaRef ? { ref: areaRef } : {})}
          placeholder={placeholder ?? ''}
          dir="auto"
          rows={rows ?? 3}
        />
      ) : (
        <Input className={style.input ?? ''} {...(inputRef ? { ref: inputRef } : {})} placeholder={placeholder ?? ''} dir="auto" />
      )}
      <Fault {...texts} />
    </AriaTextField>
  );
}

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

export function SearchField({
  label,
  placeholder,
  inputRef,
  ...props
}: {
  label: string;
  placeholder?: string;
  /** Without a value, something around it has it, such as an Autocomplete. */
  value?: string;
  onChange?: (value: string) => void;
  onSubmit?: (value: string) => void;
  autoFocus?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}) {
  return (
    <AriaSearchField {...props} aria-label={label} className={style.searchField ?? ''}>
      <Search size={16} aria-hidden />
      <Input className={style.input ?? ''} {...(inputRef ? { ref: inputRef } : {})} placeholder={placeholder ?? label} dir="auto" />
    </AriaSearchField>
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
