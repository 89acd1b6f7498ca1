import { maxFilesPerField, type Field, type FormElement } from '@sheaf/contracts';
import type { ReactNode } from 'react';
import { Paragraphs, Written } from '../parts/text';
import { useReading, type Reading } from '../reading';
import type { Fault, ShownItem } from '../view';
import { faultText } from '../words/fault-sentence';
import { fileTypeNames } from '../words/file-types';
import { formatList, formatNumber, formatSize } from '../words/formats';
import { localItem, type LocalItem } from '../words/localized';
import { Consent, MultiSelect, Rating, Select, YesOrNo } from './choice-controls';
import type { Control } from './control';
import { FileInput } from './file-control';
import { pickerFor } from './pickers';
import { TextArea, TextInput } from './text-controls';

/** A field or element of a step. Whatever is not shown is hidden, but there, so that the script can show it. */
export function Item({ shown, faults }: { shown: ShownItem; faults: readonly Fault[] }) {
  const reading = useReading();
  const { index, item, isShown } = shown;
  const texts = localItem(item, reading.language, reading.authorLanguage);
  const attributes = {
    id: `i-${index}`,
    hidden: !isShown,
    'data-type': item.type,
    'data-trim': 'trim' in item && item.trim === false ? 'false' : undefined,
    'data-if': item.visible_if && JSON.stringify(item.visible_if),
  };
  switch (item.type) {
    case 'page':
    case 'section':
    case 'statement':
      return (
        <div className={item.type} {...attributes}>
          <Element type={item.type} texts={texts} />
        </div>
      );
    case 'hidden':
      return (
        <div {...attributes} data-key={item.key}>
          <input type="hidden" id={`f-${item.key}`} name={`a.${item.key}`} value={shown.values[0] ?? ''} />
        </div>
      );
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'number':
    case 'integer':
    case 'rating':
    case 'boolean':
    case 'date':
    case 'time':
    case 'datetime':
    case 'select':
    case 'multi_select':
    case 'file': {
      const control: Control = {
        field: item,
        texts,
        values: shown.values,
        files: shown.files,
        sentences: faults.map((fault) => faultText(reading.language, fault, item)),
        rules: rulesOf(item, shown.values, reading),
      };
      return (
        <div className={faults.length > 0 ? 'item wrong' : 'item'} {...attributes} data-key={item.key}>
          {controlOf(control)}
        </div>
      );
    }
  }
}

const Element = ({ type, texts: { label, help } }: { type: FormElement['type']; texts: LocalItem }) => (
  <>
    {type === 'statement' ? (
      <p className="label">
        <Written text={label} />
      </p>
    ) : (
      <h2>
        <Written text={label} />
      </h2>
    )}
    {help && <Paragraphs text={help} />}
  </>
);

function controlOf(control: Control): ReactNode {
  switch (control.field.type) {
    case 'long_text':
      return <TextArea control={control} />;
    case 'boolean':
      return control.field.must_be_true ? <Consent control={control} /> : <YesOrNo control={control} />;
    case 'rating':
      return <Rating control={control} />;
    case 'select':
      return <Select control={control} />;
    case 'multi_select':
      return <MultiSelect control={control} />;
    case 'file':
      return <FileInput control={control} />;
    case 'short_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'number':
    case 'integer':
    case 'date':
    case 'time':
    case 'datetime':
    case 'hidden':
      return <TextInput control={control} />;
  }
}

/** The bounds that people should know before they answer. */
function rulesOf(field: Field, [value]: readonly string[], { words, language }: Reading): string[] {
  switch (field.type) {
    case 'date':
    case 'time':
    case 'datetime': {
      const { isText, example } = pickerFor(field.type, value);
      return isText ? [words.dateExample(example)] : [];
    }
    case 'multi_select':
      return choiceRule(field, words);
    case 'rating':
      return [words.ratingBetween(formatNumber(language, field.min ?? 1), formatNumber(language, field.max ?? 5))];
    case 'file':
      return [
        ...(field.multiple ? [words.addFiles(field.max_files ?? maxFilesPerField)] : []),
        ...(field.accept ? [words.acceptedTypes(formatList(language, fileTypeNames(language, field.accept)))] : []),
        ...(field.max_bytes === undefined ? [] : [words.maxSize(formatSize(language, field.max_bytes))]),
      ];
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'select':
    case 'hidden':
      return [];
  }
}

function choiceRule({ min_choices: min, max_choices: max }: Field, words: Reading['words']): string[] {
  if (min !== undefined && max !== undefined) return [min === max ? words.chooseExactly(min) : words.chooseBetween(min, max)];
  if (min !== undefined) return [words.chooseAtLeast(min)];
  return max === undefined ? [] : [words.chooseAtMost(max)];
}
