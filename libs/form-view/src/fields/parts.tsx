import { answerTraits, countryOptions, isBlank, partLabel, partsOf, type Part, type PartName } from '@sheaf/contracts';
import { useReading } from '../reading';
import { faultIdOf, idOf, nameOf, type Control } from './control';
import { Group, Sentences } from './surroundings';
import { inputOf } from './text-controls';

/** A control for each part of an answer. Their values arrive in this order, under one name. */
export function Parts({ control }: { control: Control }) {
  const { words } = useReading();
  const { field, sentences, faultyPart } = control;
  const parts = partsOf(field);
  const anyIsRequired = parts.some(({ required }) => required);
  /** Of the missing parts, only the first one is told in words: the others are marked, so that all are given at once. */
  const isWrong = (part: Part, value: string): boolean =>
    faultyPart === undefined ? part.required || !anyIsRequired : faultyPart === part.name || (part.required && isBlank(value));
  const areLines = parts.some(({ kind }) => answerTraits(kind).input === undefined);
  return (
    <Group control={control} isRadio={false}>
      <div className={areLines ? 'parts lines' : 'parts'}>
        {parts.map((part, index) => {
          const isFaulty = sentences.length > 0 && isWrong(part, control.values[index] ?? '');
          return (
            <div key={part.name}>
              <label htmlFor={idOf(control, index + 1)}>
                {partLabel(part, words.parts)}
                {!part.required && <span className="optional"> ({words.optional})</span>}
              </label>
              {faultyPart === part.name && <Sentences control={control} />}
              <PartControl control={control} part={part} index={index} isFaulty={isFaulty} />
            </div>
          );
        })}
      </div>
    </Group>
  );
}

function PartControl({ control, part, index, isFaulty }: { control: Control; part: Part; index: number; isFaulty: boolean }) {
  const { words, language } = useReading();
  const value = control.values[index];
  const attributes = {
    id: idOf(control, index + 1),
    name: nameOf(control),
    defaultValue: value,
    'data-part': part.name,
    autoComplete: purposes[part.name as PartName],
    'aria-invalid': isFaulty || undefined,
    'aria-describedby': control.faultyPart === part.name ? faultIdOf(control) : undefined,
  };
  if (part.kind !== 'country') return <input {...inputOf(part.kind, control.field, value)} {...attributes} />;
  return (
    <select {...attributes}>
      <option value="">{words.choose}</option>
      {countryOptions({}, language).map(({ value: code, label }) => (
        <option key={code} value={code}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The purposes of parts by which browsers fill them in (HTML). */
const purposes: Readonly<Partial<Record<string, string>>> = {
  line1: 'address-line1',
  line2: 'address-line2',
  postal_code: 'postal-code',
  city: 'address-level2',
  region: 'address-level1',
  country: 'country',
} satisfies Partial<Record<PartName, string>>;
