import type { Field, Setting } from '@sheaf/contracts';
import { NumberField, TextField } from '../../parts/fields';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { faultOf } from '../model/faults';
import { formulaReason } from './formula-reason';

/** The fault of a part of an item, in words. */
export function useFaultText(id: string, part: string): string | undefined {
  const say = useWords('builder').settings;
  const { either } = useFormats();
  const fault = faultOf(useEditing().state.faults.get(id), part);
  if (fault?.formula) {
    const reason = formulaReason(fault.formula, say.formulaFaults, either);
    return fault.formula.code === 'result_expected' ? reason : say.formulaFault(fault.formula.at + 1, reason);
  }
  return fault && (fault.code ? say[fault.code] : fault.message);
}

type TextPart =
  | 'help'
  | 'item_label'
  | 'placeholder'
  | 'low_label'
  | 'high_label'
  | 'pattern'
  | 'min_date'
  | 'max_date'
  | 'text'
  | 'redirect_url';
type NumberPart = { [Part in Setting]: Field[Part] extends number | undefined ? Part : never }[Setting];

interface PartProps {
  entry: Entry;
  label: string;
  help?: string;
}

/** A text of an item; it is taken away when it is emptied. */
export function PartField({
  entry: { id, item },
  part,
  label,
  help,
  isLong,
  type,
}: PartProps & { part: TextPart; isLong?: boolean; type?: 'date' | 'url' }) {
  const { edit } = useEditing();
  return (
    <TextField
      label={label}
      help={help}
      value={(item as Partial<Record<TextPart, string>>)[part] ?? ''}
      fault={useFaultText(id, part)}
      onChange={(text) => edit({ do: 'change', id, to: { [part]: text === '' ? undefined : text } })}
      {...(isLong === true ? { isLong: true, rows: 2 } : {})}
      {...(type ? { type } : {})}
    />
  );
}

/** A number of a field; it is taken away when it is emptied. */
export function PartNumber({
  entry: { id, item },
  part,
  label,
  help,
  minValue,
  maxValue,
  isWhole = true,
}: PartProps & { part: NumberPart; minValue?: number; maxValue?: number; isWhole?: boolean }) {
  const { edit } = useEditing();
  return (
    <NumberField
      label={label}
      help={help}
      value={(item as Field)[part] ?? NaN}
      fault={useFaultText(id, part)}
      formatOptions={{ maximumFractionDigits: isWhole ? 0 : 10 }}
      onChange={(number) => edit({ do: 'change', id, to: { [part]: Number.isNaN(number) ? undefined : number } })}
      {...(minValue === undefined ? {} : { minValue })}
      {...(maxValue === undefined ? {} : { maxValue })}
    />
  );
}
