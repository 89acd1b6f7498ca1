import { messageKinds, type OwnMessages } from '../public/answer-faults';
import type { FormItem } from './draft';
import { isOtherText, offeredOptionsOf } from './other-option';
import { isCheck, isEnding, isField, isHidden, withFieldsOfItems } from '../fields/traits';
import type { FormSettings } from './settings';

/** A text of the author, and its translation; `part` is such as `label`, `options.red` for the label of an option, or `messages.min`. */
export interface TranslatableText {
  part: string;
  original: string;
  translation: string;
}

type Labels = Readonly<Record<string, string>>;
type Translation = Readonly<Record<string, unknown>> & { options?: Labels; rows?: Labels; columns?: Labels; messages?: OwnMessages };

const plainParts = ['label', 'help', 'placeholder', 'low_label', 'high_label', 'item_label', 'message', 'title', 'text'] as const;

/** The text by which people know an item. */
export const mainTextOf = (item: FormItem): string => (isCheck(item) ? item.message : isEnding(item) ? item.title : item.label);

/** The part of an item that has this text. */
export const mainPartOf = (item: FormItem): 'label' | 'message' | 'title' =>
  isCheck(item) ? 'message' : isEnding(item) ? 'title' : 'label';

/** The mark by which an item is the same in two contents: its key or name, or the text of elements and checks. */
export const identityOf = (item: FormItem): string =>
  isField(item) ? `key ${item.key}` : `${item.type} ${isEnding(item) ? item.name : mainTextOf(item)}`;

/** All texts of an item that can be translated. Those of a hidden field are read by nobody. */
export function textsOf(item: FormItem, language: string): TranslatableText[] {
  // Its words are those of its choice.
  if (isHidden(item) || isOtherText(item)) return [];
  const translation = (item.translations?.[language] ?? {}) as Translation;
  const plain = plainParts.flatMap((part): TranslatableText[] => {
    const original = (item as Partial<Record<(typeof plainParts)[number], string>>)[part] ?? '';
    return original === '' ? [] : [{ part, original, translation: textIn(translation[part]) }];
  });
  const { messages = {} } = isField(item) ? item : {};
  const choices = isField(item) ? { options: offeredOptionsOf(item), rows: item.rows, columns: item.columns } : {};
  return [
    ...plain,
    ...(['options', 'rows', 'columns'] as const).flatMap((part) =>
      (choices[part] ?? []).map(({ value, label }) => ({
        part: `${part}.${value}`,
        original: label,
        translation: labelIn(translation[part], value),
      })),
    ),
    ...messageKinds.flatMap((kind): TranslatableText[] => {
      const original = messages[kind];
      return original === undefined ? [] : [{ part: `messages.${kind}`, original, translation: textIn(translation.messages?.[kind]) }];
    }),
  ];
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const labelIn = (labels: Labels | undefined, value: string): string =>
  labels && Object.hasOwn(labels, value) ? textIn(labels[value]) : '';

/** The form itself, with the settings that respondents read. */
export interface TranslatableForm extends Pick<FormSettings, 'description' | 'thank_you' | 'translations'> {
  title: string;
  closed_message?: string | undefined;
}

export const formParts = ['title', 'description', 'thank_you', 'closed_message'] as const;
export type FormPart = (typeof formParts)[number];

/** The texts of the form itself, which are among its settings. */
export function formTextsOf(form: TranslatableForm, language: string): (TranslatableText & { part: FormPart })[] {
  const originals: Record<FormPart, string | undefined> = {
    title: form.title,
    description: form.description,
    thank_you: form.thank_you?.text,
    closed_message: form.closed_message,
  };
  return formParts.flatMap((part) => {
    const original = originals[part] ?? '';
    return original === '' ? [] : [{ part, original, translation: form.translations?.[language]?.[part] ?? '' }];
  });
}

export const isUntranslated = ({ translation }: TranslatableText): boolean => translation.trim() === '';

/** How many texts there are, and how many of them have no translation. */
export function countTexts(form: TranslatableForm, items: readonly FormItem[], language: string): { all: number; missing: number } {
  const texts = [...formTextsOf(form, language), ...withFieldsOfItems(items).flatMap((item) => textsOf(item, language))];
  return { all: texts.length, missing: texts.filter(isUntranslated).length };
}
