import { useEffectEvent, useLayoutEffect, useState, type KeyboardEvent } from 'react';
import { TextField, type TextFieldProps } from '../../parts/fields';

interface Props extends Omit<TextFieldProps, 'value' | 'onChange' | 'onBlur'> {
  value: string;
  onApply: (text: string) => void;
  /** The fault of a text that is being typed, and whether it must not be applied as it is. */
  check: (typed: string) => { fault: string | undefined; isRefused: boolean };
}

/**
 * A text that other parts of the form refer to. It takes effect on Enter and when the field is left: what it is for a moment while somebody types
 * may be the name of something else.
 */
export function TypedField({ value, fault, onApply, check, ...props }: Props) {
  const [state, setState] = useState<{ text: string; over: string }>();
  // Not once the value has changed otherwise, as by *Undo*, or by another option that has come to this place.
  const typed = state?.over === value ? state.text : undefined;
  const checked = typed === undefined || typed === value ? undefined : check(typed);
  const apply = () => {
    if (checked?.isRefused === true) return;
    if (checked && typed !== undefined) onApply(typed);
    setState(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!checked) return;
    if (event.key === 'Enter') {
      event.stopPropagation();
      return apply();
    }
    if (event.shiftKey || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
    // Typed text becomes a step of its own, which the editor then takes back; refused text is no step, so it is taken back here.
    apply();
    if (!checked.isRefused) return;
    setState(undefined);
    event.preventDefault();
    event.stopPropagation();
  };
  // Nothing that was typed is lost: where it is refused, the fault is then shown at its item. Before the editor saves for the last time.
  const onGone = useEffectEvent(() => checked && typed !== undefined && onApply(typed));
  useLayoutEffect(() => () => void onGone(), []);
  return (
    <div onKeyDown={onKeyDown}>
      <TextField
        {...props}
        value={typed ?? value}
        fault={checked ? checked.fault : fault}
        onChange={(text) => setState({ text, over: value })}
        onBlur={apply}
      />
    </div>
  );
}
