import {
  answerKindOf,
  cellText,
  countryOptions,
  hasFormattedLabel,
  isField,
  isMatrix,
  languageOfCountries,
  plainLabel,
  type Condition,
  type Field,
  type FormCheck,
  type FormElement,
  type FormEnding,
  type FormSettings,
  type OptionImage,
  type OwnMessages,
} from '@sheaf/contracts';
import { closestTag } from './tags';

/** A text of the author, with the language that it is really in. */
export interface LocalText {
  text: string;
  lang: string;
}

/** The author's texts of a field or element, in the language of the page as far as they are translated. */
export interface LocalItem {
  /** Without marks: it stands in sentences, titles and names too. */
  label: LocalText;
  /** The same with its marks, where the label has any. */
  formatted: LocalText | undefined;
  help: LocalText | undefined;
  placeholder: LocalText | undefined;
  /** In the author's order; countries in that of the language of the page. */
  options: readonly { value: string; label: LocalText; visible_if?: Condition | undefined; image?: OptionImage | undefined }[];
  /** Of a matrix, whose options are its cells. */
  rows: readonly Labelled[];
  columns: readonly Labelled[];
  /** The meaning of the ends of a scale. */
  ends: { low?: LocalText | undefined; high?: LocalText | undefined };
  /** The name of an item of a repeat. */
  itemLabel?: LocalText | undefined;
  /** The author's messages about wrong answers. */
  messages: OwnMessages<LocalText>;
}

export interface Labelled {
  value: string;
  label: LocalText;
}

export interface LocalForm {
  title: LocalText;
  description: LocalText | undefined;
  thankYou: LocalText | undefined;
  closedMessage: LocalText | undefined;
}

/** Chooses for each text between the author's own and its translation; an empty translation counts as missing. */
class Localizer<Translation> {
  private readonly translation: Translation | undefined;
  private readonly translated: string;

  constructor(
    translations: Readonly<Record<string, Translation>> | undefined,
    language: string,
    private readonly authorLanguage: string,
  ) {
    const tags = translations ? Object.keys(translations) : [];
    // The author's own language comes first: a form in `pt` with a translation to `pt-PT` is shown as it is to readers of `pt-BR`.
    const closest = tags.length === 0 ? undefined : closestTag(language, [authorLanguage, ...tags]);
    this.translated = closest ?? authorLanguage;
    this.translation = closest === undefined || closest === authorLanguage ? undefined : translations?.[closest];
  }

  text(original: string, read: (translation: Translation) => string | undefined): LocalText {
    const translated = this.translation && read(this.translation);
    return translated ? { text: translated, lang: this.translated } : { text: original, lang: this.authorLanguage };
  }

  optional(original: string | undefined, read: (translation: Translation) => string | undefined): LocalText | undefined {
    const found = this.text(original ?? '', read);
    return found.text === '' ? undefined : found;
  }
}

const labelsOf = (item: Field | FormElement, label: LocalText): Pick<LocalItem, 'label' | 'formatted'> =>
  hasFormattedLabel(item) ? { label: { ...label, text: plainLabel(label.text) }, formatted: label } : { label, formatted: undefined };

export function localItem(item: Field | FormElement, language: string, authorLanguage: string): LocalItem {
  if (!isField(item)) {
    const texts = new Localizer(item.translations, language, authorLanguage);
    return {
      ...labelsOf(
        item,
        texts.text(item.label, ({ label }) => label),
      ),
      help: texts.optional(item.help, ({ help }) => help),
      placeholder: undefined,
      options: [],
      rows: [],
      columns: [],
      ends: {},
      messages: {},
    };
  }
  const texts = new Localizer(item.translations, language, authorLanguage);
  const ofOption = (options: Readonly<Record<string, string>> | undefined, value: string) =>
    options && Object.hasOwn(options, value) ? options[value] : undefined;
  const labelled = (part: 'rows' | 'columns'): Labelled[] =>
    (item[part] ?? []).map(({ value, label }) => ({ value, label: texts.text(label, ({ [part]: labels }) => ofOption(labels, value)) }));
  const [rows, columns] = [labelled('rows'), labelled('columns')];
  return {
    ...labelsOf(
      item,
      texts.text(item.label, ({ label }) => label),
    ),
    rows,
    columns,
    help: texts.optional(item.help, ({ help }) => help),
    placeholder: texts.optional(item.placeholder, ({ placeholder }) => placeholder),
    options:
      answerKindOf(item) === 'country'
        ? countriesIn(language, item)
        : isMatrix(item)
          ? cellsWith(rows, columns)
          : (item.options ?? []).map(({ value, label, visible_if, image }) => ({
              value,
              visible_if,
              image,
              label: texts.text(label, ({ options }) => ofOption(options, value)),
            })),
    ends: {
      low: texts.optional(item.low_label, ({ low_label }) => low_label),
      high: texts.optional(item.high_label, ({ high_label }) => high_label),
    },
    itemLabel: texts.optional(item.item_label, ({ item_label }) => item_label),
    messages: Object.fromEntries(
      Object.entries(item.messages ?? {}).map(([kind, text]) => [kind, texts.text(text, ({ messages }) => messages?.[kind as 'required'])]),
    ),
  };
}

/** Their labels where no text can be marked. */
export const plainly = (labelled: readonly Labelled[]): { value: string; label: string }[] =>
  labelled.map(({ value, label }) => ({ value, label: label.text }));

const cellsWith = (rows: readonly Labelled[], columns: readonly Labelled[]): LocalItem['options'] =>
  rows.flatMap((row) =>
    columns.map((column) => ({
      value: cellText(row.value, column.value),
      label: { text: `${row.label.text}: ${column.label.text}`, lang: row.label.lang },
    })),
  );

function countriesIn(language: string, field: Field): LocalItem['options'] {
  const lang = languageOfCountries(language);
  return countryOptions(field, language).map(({ value, label: text }) => ({ value, label: { text, lang } }));
}

/** The message of a check. */
export const localMessage = ({ message, translations }: FormCheck, language: string, authorLanguage: string): LocalText =>
  new Localizer(translations, language, authorLanguage).text(message, (translation) => translation.message);

/** The texts of an ending. */
export function localEnding(
  { title, text, translations }: Pick<FormEnding, 'title' | 'text' | 'translations'>,
  language: string,
  authorLanguage: string,
): { title: LocalText; text: LocalText | undefined } {
  const texts = new Localizer(translations, language, authorLanguage);
  return {
    title: texts.text(title, (translation) => translation.title),
    text: texts.optional(text, (translation) => translation.text),
  };
}

/** `closed_message` is not among the settings, because v1 has it; its translations are. */
export function localForm(
  form: { title: string; settings: FormSettings; closed_message?: string | undefined },
  language: string,
  authorLanguage: string,
): LocalForm {
  const { description, thank_you, translations } = form.settings;
  const texts = new Localizer(translations, language, authorLanguage);
  return {
    title: texts.text(form.title, ({ title }) => title),
    description: texts.optional(description, (translation) => translation.description),
    thankYou: texts.optional(thank_you?.text, (translation) => translation.thank_you),
    closedMessage: texts.optional(form.closed_message, (translation) => translation.closed_message),
  };
}
