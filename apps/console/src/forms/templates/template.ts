import type {
  BooleanFieldInput,
  CalculatedFieldInput,
  ChoiceFieldInput,
  CountryFieldInput,
  FileFieldInput,
  FormCheckInput,
  FormDocumentInput,
  FormEndingInput,
  FormItemInput,
  NumberFieldInput,
  TextFieldInput,
} from '@sheaf/client';
import type { Language } from '../../words/language';
import type { Words } from '../../words/words';

type Kept = 'key' | 'type' | 'label' | 'help' | 'placeholder' | 'options' | 'other' | 'translations' | 'default' | 'appearance';
type Rules = Omit<TextFieldInput, Kept> &
  Omit<NumberFieldInput, Kept> &
  Omit<BooleanFieldInput, Kept> &
  Omit<FileFieldInput, Kept> &
  Omit<ChoiceFieldInput, Kept> &
  Omit<CountryFieldInput, Kept> &
  Omit<CalculatedFieldInput, Kept> &
  Pick<FormCheckInput, 'if' | 'at'> &
  Pick<FormEndingInput, 'if'>;

/** A field or element of a template. Its texts are among the words of each language, under its key or name. */
export interface TemplateItem extends Partial<Rules> {
  type: FormItemInput['type'];
  appearance?: NumberFieldInput['appearance'] | ChoiceFieldInput['appearance'];
  /** Of fields only. */
  key?: string;
  /** Of other elements only. */
  name?: string;
  /** The values. */
  options?: readonly string[];
  /** Whether the last option is *Other*. Its label is that of the option `other`. */
  hasOther?: boolean;
  /** How many submissions may have an option, by its value. */
  places?: Readonly<Record<string, number>>;
  /** Of a repeat. */
  fields?: readonly TemplateItem[];
}

/** The purposes by which templates are found, in their order. */
export const purposes = ['contact', 'events', 'feedback', 'people', 'orders', 'reports'] as const;

/** A form to begin with. */
export interface Template {
  id: Exclude<keyof Words['templates'], 'questions'>;
  purpose: (typeof purposes)[number];
  settings?: Omit<FormDocumentInput['settings'], 'description' | 'thank_you' | 'languages' | 'default_language' | 'translations'>;
  items: readonly TemplateItem[];
}

interface ItemTexts {
  label?: string;
  help?: string;
  placeholder?: string;
  item_label?: string;
  low_label?: string;
  high_label?: string;
  options?: Readonly<Record<string, string>>;
  /** Of a check. */
  message?: string;
  /** Of an ending. */
  title?: string;
  text?: string;
}

/** The texts of templates in a language. */
export interface TemplateTexts {
  language: Language;
  words: Words['templates'];
}

/** How many questions people are asked. */
export const countQuestions = ({ items }: Template): number =>
  items.filter(({ key, type }) => key !== undefined && type !== 'calculated').length;

/** The language that a form comes translated into, beside the person's. */
export const otherLanguage = (language: Language): Language => (language === 'en' ? 'de' : 'en');

/** The form of a template, written in one language and translated into another. */
export function documentOf(template: Template, own: TemplateTexts, other: TemplateTexts): FormDocumentInput {
  const { title, description, thanks } = own.words[template.id];
  const translated = other.words[template.id];
  return {
    sheaf: 'form',
    version: 1,
    title,
    fields: template.items.map((item) => itemOf(template, item, own, other)),
    settings: {
      ...template.settings,
      description,
      thank_you: { text: thanks },
      languages: [own.language, other.language],
      default_language: own.language,
      translations: {
        [other.language]: { title: translated.title, description: translated.description, thank_you: translated.thanks },
      },
    },
  };
}

/** The text of a template for an item itself, else that of all templates. */
function textsOf({ id }: Template, { key = '', name = key }: TemplateItem, { words }: TemplateTexts): ItemTexts {
  const items: Readonly<Record<string, ItemTexts>> = words[id].items;
  const questions: Readonly<Record<string, ItemTexts>> = words.questions;
  const texts = items[name] ?? questions[name];
  if (!texts) throw new Error(`The template ${id} has no texts for ${name}.`);
  return texts;
}

function itemOf(template: Template, item: TemplateItem, own: TemplateTexts, other: TemplateTexts): FormItemInput {
  const { options, hasOther, places, name, fields, ...rules } = item;
  const { options: labels = {}, ...texts } = textsOf(template, item, own);
  return {
    ...rules,
    ...texts,
    ...(rules.type === 'ending' ? { name } : {}),
    ...(options ? { options: options.map((value) => ({ value, label: labels[value], ...(places ? { limit: places[value] } : {}) })) } : {}),
    ...(hasOther === true ? { other: { label: labels.other } } : {}),
    ...(fields ? { fields: fields.map((field) => itemOf(template, field, own, other)) } : {}),
    translations: { [other.language]: textsOf(template, item, other) },
  } as FormItemInput;
}
