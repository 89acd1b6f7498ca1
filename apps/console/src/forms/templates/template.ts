import type { BooleanFieldInput, FileFieldInput, FormDocumentInput, FormItemInput, NumberFieldInput, TextFieldInput } from '@sheaf/client';
import type { Language } from '../../words/language';

/** A text in the languages of the console. */
export type Bilingual = readonly [en: string, de: string];

type Kept = 'key' | 'type' | 'label' | 'help' | 'placeholder' | 'options' | 'translations';
type Rules = Omit<TextFieldInput, Kept> & Omit<NumberFieldInput, Kept> & Omit<BooleanFieldInput, Kept> & Omit<FileFieldInput, Kept>;

/** A field or element of a template, with its texts in every language. */
export interface TemplateItem extends Partial<Rules> {
  type: FormItemInput['type'];
  max_choices?: number;
  /** Of fields only. */
  key?: string;
  label: Bilingual;
  help?: Bilingual;
  placeholder?: Bilingual;
  options?: readonly (readonly [value: string, en: string, de: string])[];
}

/** A form to begin with. */
export interface Template {
  id: string;
  title: Bilingual;
  /** In the choice of templates: what it is good for. */
  about: Bilingual;
  /** Above the first question. */
  description: Bilingual;
  /** On the receipt. */
  thanks: Bilingual;
  settings?: Omit<FormDocumentInput['settings'], 'description' | 'thank_you' | 'languages' | 'default_language' | 'translations'>;
  items: readonly TemplateItem[];
}

export const inLanguage = ([en, de]: Bilingual, language: Language): string => (language === 'de' ? de : en);

export const countFields = ({ items }: Template): number => items.filter(({ key }) => key !== undefined).length;

const other = { en: 'de', de: 'en' } as const;

/** The language that a template is written in for a person: English, where it has no texts in theirs. */
const writtenFor = (language: Language): keyof typeof other => (language === 'de' ? 'de' : 'en');

/** The form of a template, written in one language and translated into the other. */
export function documentOf(template: Template, reader: Language): FormDocumentInput {
  const language = writtenFor(reader);
  const translation = other[language];
  const written = (text: Bilingual) => inLanguage(text, language);
  const translated = (text: Bilingual) => inLanguage(text, translation);
  return {
    sheaf: 'form',
    version: 1,
    title: written(template.title),
    fields: template.items.map((item) => itemOf(item, written, translated, translation)),
    settings: {
      ...template.settings,
      description: written(template.description),
      thank_you: { text: written(template.thanks) },
      languages: [language, translation],
      default_language: language,
      translations: {
        [translation]: {
          title: translated(template.title),
          description: translated(template.description),
          thank_you: translated(template.thanks),
        },
      },
    },
  };
}

type Say = (text: Bilingual) => string;

function itemOf(item: TemplateItem, written: Say, translated: Say, translation: Language): FormItemInput {
  const { label, help, placeholder, options, ...rest } = item;
  const texts = (say: Say) => ({
    label: say(label),
    ...(help ? { help: say(help) } : {}),
    ...(placeholder ? { placeholder: say(placeholder) } : {}),
  });
  return {
    ...rest,
    ...texts(written),
    ...(options ? { options: options.map(([value, en, de]) => ({ value, label: written([en, de]) })) } : {}),
    translations: {
      [translation]: {
        ...texts(translated),
        ...(options ? { options: Object.fromEntries(options.map(([value, en, de]) => [value, translated([en, de])])) } : {}),
      },
    },
  } as FormItemInput;
}
