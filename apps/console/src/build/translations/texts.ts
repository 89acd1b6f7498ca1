import type { FormSettingsDetail } from '@sheaf/client';
import type { FormItem } from '@sheaf/contracts';
import { isField, type Contents, type Entry } from '../model/contents';

/** A text of the author, and its translation; `part` is such as `label`, or `options.red` for the label of an option. */
export interface Text {
  part: string;
  original: string;
  translation: string;
}

type Translation = Readonly<Record<string, unknown>> & { options?: Readonly<Record<string, string>> };

const plainParts = ['label', 'help', 'placeholder'] as const;

/** All texts of an item that can be translated. */
export function textsOf({ item }: Entry, language: string): Text[] {
  const translation = (item.translations?.[language] ?? {}) as Translation;
  const plain = plainParts.flatMap((part): Text[] => {
    const original = (item as Partial<Record<(typeof plainParts)[number], string>>)[part] ?? '';
    return original === '' ? [] : [{ part, original, translation: textIn(translation[part]) }];
  });
  const options = isField(item) ? (item.options ?? []) : [];
  return [
    ...plain,
    ...options.map(({ value, label }) => ({ part: `options.${value}`, original: label, translation: translation.options?.[value] ?? '' })),
  ];
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The translations of an item with one more, or one less if the text is empty. */
export function translated(item: FormItem, language: string, part: string, text: string): FormItem['translations'] {
  const before = (item.translations?.[language] ?? {}) as Translation;
  const option = part.startsWith('options.') ? part.slice('options.'.length) : undefined;
  const parts: Record<string, unknown> = { ...before };
  if (option === undefined) parts[part] = text;
  else parts.options = Object.fromEntries(Object.entries({ ...before.options, [option]: text }).filter(([, label]) => label !== ''));
  const kept = Object.entries(parts).filter(([, value]) =>
    typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== '',
  );
  const others = Object.entries(item.translations ?? {}).filter(([each]) => each !== language);
  const all = Object.fromEntries([...others, ...(kept.length > 0 ? [[language, Object.fromEntries(kept)] as const] : [])]);
  return Object.keys(all).length > 0 ? all : undefined;
}

export const formParts = ['title', 'description', 'thank_you', 'closed_message'] as const;
export type FormPart = (typeof formParts)[number];

/** The texts of the form itself, which are among its settings. */
export function formTextsOf(form: FormSettingsDetail, language: string): (Text & { part: FormPart })[] {
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

export const isMissing = ({ translation }: Text): boolean => translation.trim() === '';

/** How many texts there are, and how many of them have no translation. */
export function countTexts(form: FormSettingsDetail, { entries }: Contents, language: string): { all: number; missing: number } {
  const texts = [...formTextsOf(form, language), ...entries.flatMap((entry) => textsOf(entry, language))];
  return { all: texts.length, missing: texts.filter(isMissing).length };
}
