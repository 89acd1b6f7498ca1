import type { FormItem, ImportColumn } from '@sheaf/client';
import { answerKindOf, hasParts, isComputed, partLabel, partsOf, isSignature } from '@sheaf/contracts';
import { Select } from '../parts/fields';
import { useWords } from '../words/use-words';
import { fieldsOf, optionsOf } from './fields';
import style from './import-dialog.module.css';

/** The labels of questions by their keys. */
export const labelsOf = (items: readonly FormItem[]): ReadonlyMap<string, string> =>
  new Map(fieldsOf(items).map(({ key, label }) => [key, label]));

/** With more options than that, their columns are offered only where the file was recognized to have them. */
const maxOfferedOptions = 100;

interface ImportColumnsProps {
  items: readonly FormItem[];
  columns: readonly ImportColumn[];
  isDisabled: boolean;
  /** The columns that become something else, with what they become. */
  onChange: (changed: readonly (readonly [number: number, target: string])[]) => void;
}

/** Each column of a file, with some of its texts, and what it becomes. */
export function ImportColumns({ items, columns, isDisabled, onChange }: ImportColumnsProps) {
  const say = useWords('submissions');
  const offered = offeredFor(items, say);
  const known = new Set(offered.map(({ value }) => value));
  return (
    <section className={style.section} aria-labelledby="import-columns">
      <h3 id="import-columns">{say.importColumns}</h3>
      <ul className={style.columns}>
        {columns.map(({ number, heading, samples, target }) => {
          const name = heading === '' ? say.importNoHeading(number) : heading;
          return (
            <li key={number}>
              <div>
                <strong dir="auto">{name}</strong>
                <span className="muted" dir="auto">
                  {samples.join(' · ')}
                </span>
              </div>
              <Select
                label={say.importColumnFor(name)}
                isLabelHidden
                options={known.has(target) ? offered : [...offered, { value: target, label: nameOf(target, items) }]}
                value={target}
                isDisabled={isDisabled}
                onChange={(next) => {
                  if (next === target) return;
                  const before = columns.find((column) => column.target === next && next !== 'nothing');
                  onChange([...(before ? [[before.number, 'nothing'] as const] : []), [number, next]]);
                }}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function offeredFor(items: readonly FormItem[], say: ReturnType<typeof useWords<'submissions'>>) {
  const fields = fieldsOf(items).filter((field) => answerKindOf(field) !== 'file' && !isComputed(field));
  const choices = fields
    .filter((field) => answerKindOf(field) === 'options')
    .flatMap((field) =>
      optionsOf(field).map(({ value, label }) => ({ value: `answers.${field.key}.${value}`, label: `${field.label} – ${label}` })),
    );
  const wholeOrParts = fields.flatMap((field) => {
    const { key, label } = field;
    // A table has the names of signatures.
    if (!hasParts(field) || isSignature(field)) return [{ value: `answers.${key}`, label }];
    return partsOf(field).map((part) => ({
      value: `answers.${key}.${part.name}`,
      label: `${label} – ${partLabel(part, say.answerParts)}`,
    }));
  });
  return [
    { value: 'nothing', label: say.importNothing },
    ...wholeOrParts,
    ...(choices.length > maxOfferedOptions ? [] : choices),
    { value: 'created_at', label: say.importCreatedAt },
    { value: 'language', label: say.importLanguage },
  ];
}

/** Of a target that is not offered, such as one of very many options. */
function nameOf(target: string, items: readonly FormItem[]): string {
  const [, key = '', ...value] = target.split('.');
  const label = labelsOf(items).get(key) ?? key;
  return value.length === 0 ? label : `${label} – ${value.join('.')}`;
}
