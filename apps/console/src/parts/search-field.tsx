import { Search } from 'lucide-react';
import type { Ref } from 'react';
import { Input } from 'react-aria-components/Input';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import style from './fields.module.css';

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
