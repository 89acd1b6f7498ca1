import type { Field } from '@sheaf/contracts';
import { writtenResult, type Writing } from '../answers/calculated';
import type { Reading } from '../reading';
import type { ShownItem } from '../view';
import { localeOf } from '../words/formats';
import { describedBy, idOf, type Control } from './control';
import { Single } from './surroundings';

export const writingOf = ({ format = 'number', currency }: Field, { language, words }: Reading): Writing => ({
  ...{ format, currency, locale: localeOf(language), yes: words.yes, no: words.no },
});

/** An answer that is computed from others. The script of the page keeps it up to date, and it is read out as it changes. */
export function Calculated({ control, result, reading }: { control: Control; result: ShownItem['result']; reading: Reading }) {
  const writing = writingOf(control.field, reading);
  return (
    <Single control={control}>
      <output id={idOf(control)} aria-describedby={describedBy(control)} data-writing={JSON.stringify(writing)}>
        <bdi>{writtenResult(result?.value, writing)}</bdi>
      </output>
    </Single>
  );
}
