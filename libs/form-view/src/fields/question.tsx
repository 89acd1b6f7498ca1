import {
  boundsOf,
  hasPartControls,
  isComputed,
  isField,
  isHidden,
  isSignature,
  maxFilesPerField,
  ownMessage,
  partsOf,
  type Field,
  type TypeGiven,
} from '@sheaf/contracts';
import type { ReactNode } from 'react';
import { writtenResult } from '../answers/calculated';
import { textKindOf } from '../filling/piped';
import { Formatted } from '../parts/formatted';
import { WithAnswers } from '../parts/piped';
import { useReading, type Reading } from '../reading';
import type { Fault, ShownItem } from '../view';
import { begun, faultText } from '../words/fault-sentence';
import { fileTypeNames } from '../words/file-types';
import { formatList, formatNumber, formatSize } from '../words/formats';
import { localItem, plainly, type LocalItem } from '../words/localized';
import { Calculated, writingOf } from './calculated';
import { Consent, Countries, MultiSelect, Select, YesOrNo } from './choice-controls';
import { partsWithPlaces, type Control } from './control';
import { FileInput } from './file-control';
import { Matrix } from './matrix';
import { Parts } from './parts';
import { pickerFor, type PickerKind } from './pickers';
import { Ranking } from './ranking';
import { Rating } from './rating';
import { Signature } from './signature';
import { TextArea, TextInput } from './text-controls';

/** A field or element of a step. A field that is not shown is hidden, but there, so that the script can show it. */
export function Item({ shown, faults }: { shown: ShownItem; faults: readonly Fault[] }) {
  const reading = useReading();
  const { index, item, isShown } = shown;
  const texts = localItem(item, reading.language, reading.authorLanguage);
  const attributes = {
    id: `i-${index}`,
    hidden: !isShown,
    'data-type': item.type,
    'data-answer': isField(item) ? textKindOf(item) : undefined,
    'data-parts': isField(item) && hasPartControls(item) ? JSON.stringify(partsOf(item).map(({ name }) => name)) : undefined,
    // The word that stands for its picture in texts.
    'data-drawn': isField(item) && isSignature(item) ? reading.words.signature.drawn : undefined,
    'data-trim': 'trim' in item && item.trim === false ? 'false' : undefined,
    'data-formula': shown.result?.formula && JSON.stringify(shown.result.formula),
    'data-if': item.visible_if && JSON.stringify(item.visible_if),
    'data-required-if': 'required_if' in item && item.required_if ? JSON.stringify(item.required_if) : undefined,
  };
  if (!isField(item))
    return (
      <div className={item.type} {...attributes}>
        <Element texts={texts} />
      </div>
    );
  if (isHidden(item))
    return (
      <div {...attributes} {...(isComputed(item) ? resultFor(item, shown, reading) : {})} data-key={item.key}>
        {!isComputed(item) && <input type="hidden" id={`f-${item.key}`} name={`a.${item.key}`} value={shown.values[0] ?? ''} />}
      </div>
    );
  const { draw, rules } = views[item.type as ShownType];
  const control: Control = {
    field: item,
    mayBeEmpty: isComputed(item) ? 'never' : emptyOf(item, shown),
    texts,
    // A control without a place left is not sent: chosen, it would look like an answer.
    values: shown.values.filter((value) => shown.full?.includes(value) !== true),
    files: shown.files,
    full: shown.full ?? [],
    sentences: faults.map(
      (fault) =>
        ownMessage(texts.messages, fault) ?? fault.authored ?? faultText(reading.language, fault, { ...item, rows: plainly(texts.rows) }),
    ),
    faultyPart: faultyPartOf(item, faults),
    rules: rules?.(item, shown.values, reading) ?? [],
  };
  return (
    <div className={faults.length > 0 ? 'item wrong' : 'item'} {...attributes} data-key={item.key}>
      {draw(control, shown, reading)}
    </div>
  );
}

const faultyPartOf = (field: Field, faults: readonly Fault[]): string | undefined =>
  partsWithPlaces(field).find(({ name }) => faults.some(({ params }) => params.part === name))?.name;

/** The result of a field that is shown only within other texts, which the script that computes it writes, and the one for texts reads. */
function resultFor(field: Field, { result }: ShownItem, reading: Reading) {
  if (!reading.live.has(field.key)) return {};
  const writing = writingOf(field, reading);
  return { 'data-writing': JSON.stringify(writing), 'data-result': writtenResult(result?.value, writing) };
}

function emptyOf({ required, required_if }: Field, { isRequired }: ShownItem): Control['mayBeEmpty'] {
  if (!required) return 'always';
  if (!required_if) return 'never';
  return isRequired === true ? 'depends' : 'now';
}

const Element = ({ texts: { label, formatted, help } }: { texts: LocalItem }) => (
  <>
    {formatted ? (
      <Formatted className="label" text={formatted} hasAnswers />
    ) : (
      <h2>
        <WithAnswers text={label} />
      </h2>
    )}
    {help && <Formatted text={help} hasAnswers />}
  </>
);

interface View {
  draw: (control: Control, shown: ShownItem, reading: Reading) => ReactNode;
  /** The bounds that people should know before they answer. */
  rules?: (field: Field, values: readonly string[], reading: Reading) => string[];
}

const typed: View['draw'] = (control) => <TextInput control={control} />;

/** A date or time in another notation than the picker's is typed as text. */
const picked = (kind: PickerKind): View => ({
  draw: typed,
  rules: (_, [value], { words }) => {
    const { isText, example } = pickerFor(kind, value);
    return isText ? [words.dateExample(example)] : [];
  },
});

type ShownType = TypeGiven<'typed' | 'chosen' | 'uploaded' | 'computed'>;

/** How each type is drawn. */
const views: Readonly<Record<ShownType, View>> = {
  short_text: { draw: typed },
  long_text: { draw: (control) => <TextArea control={control} /> },
  email: { draw: typed },
  url: { draw: typed },
  phone: { draw: typed },
  country: { draw: (control) => <Countries control={control} /> },
  number: { draw: typed },
  integer: { draw: typed },
  rating: {
    draw: (control) => <Rating control={control} />,
    rules: (field, _, { words, language }) => {
      const { min = 0, max = 0 } = boundsOf(field);
      return [words.ratingBetween(formatNumber(language, min), formatNumber(language, max))];
    },
  },
  boolean: { draw: (control) => (control.field.must_be_true ? <Consent control={control} /> : <YesOrNo control={control} />) },
  date: picked('date'),
  time: picked('time'),
  datetime: picked('datetime'),
  date_range: {
    draw: (control) => <Parts control={control} />,
    rules: (field, values, reading) => [
      ...(field.max_days === undefined ? [] : [begun(reading.language, reading.words.faults.too_many_days(field.max_days))]),
      ...new Set(values.flatMap((value) => picked('date').rules?.(field, [value], reading) ?? [])),
    ],
  },
  address: { draw: (control) => <Parts control={control} /> },
  select: { draw: (control) => <Select control={control} /> },
  multi_select: { draw: (control) => <MultiSelect control={control} />, rules: (field, _, { words }) => choiceRule(field, words) },
  matrix: { draw: (control) => <Matrix control={control} /> },
  ranking: { draw: (control) => <Ranking control={control} />, rules: (_, __, { words }) => [words.rankingRule] },
  signature: { draw: (control) => <Signature control={control} /> },
  calculated: { draw: (control, { result }, reading) => <Calculated control={control} result={result} reading={reading} /> },
  repeat: { draw: () => null },
  file: {
    draw: (control) => <FileInput control={control} />,
    rules: (field, _, { words, language }) => [
      ...(field.multiple ? [words.addFiles(field.max_files ?? maxFilesPerField)] : []),
      ...(field.accept ? [words.acceptedTypes(formatList(language, fileTypeNames(language, field.accept)))] : []),
      ...(field.max_bytes === undefined ? [] : [words.maxSize(formatSize(language, field.max_bytes))]),
    ],
  },
};

function choiceRule({ min_choices: min, max_choices: max }: Field, words: Reading['words']): string[] {
  if (min !== undefined && max !== undefined) return [min === max ? words.chooseExactly(min) : words.chooseBetween(min, max)];
  if (min !== undefined) return [words.chooseAtLeast(min)];
  return max === undefined ? [] : [words.chooseAtMost(max)];
}
