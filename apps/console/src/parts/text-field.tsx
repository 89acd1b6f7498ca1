import type { ReactNode, Ref } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { classes } from './classes';
import style from './fields.module.css';

/** Around every control: its label, help, and what is wrong with it. */
export interface FieldTexts {
  label: string;
  help?: ReactNode;
  /** The fault; also marks the control as invalid. */
  fault?: string | undefined;
  /** Shows the label to screen readers only, where the place makes it plain. */
  isLabelHidden?: boolean;
}

export const FieldLabel = ({ label, isLabelHidden }: FieldTexts) => (
  <Label className={classes(style.label, isLabelHidden === true && 'visually-hidden')}>{label}</Label>
);

export const Help = ({ help }: FieldTexts) =>
  help === undefined ? null : (
    <Text slot="description" className={style.help ?? ''}>
      {help}
    </Text>
  );

export const Fault = ({ fault }: FieldTexts) => <FieldError className="fault">{fault}</FieldError>;

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
