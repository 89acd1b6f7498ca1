/**
 * The plural categories of each language, as `Intl.PluralRules` names them. French, Italian, Portuguese and Spanish also have `many`, for
 * millions; nothing here is counted as far as that.
 */
interface Categories {
  en: 'one' | 'other';
  de: 'one' | 'other';
  fr: 'one' | 'other';
  es: 'one' | 'other';
  it: 'one' | 'other';
  pt: 'one' | 'other';
  nl: 'one' | 'other';
  pl: 'one' | 'few' | 'many' | 'other';
  tr: 'one' | 'other';
  ar: 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
  he: 'one' | 'two' | 'other';
  uk: 'one' | 'few' | 'many' | 'other';
  zh: 'other';
  'zh-Hant': 'other';
  ja: 'other';
}

/** The languages that our words are written in. */
export type WordLanguage = keyof Categories;

export type PluralForms<Language extends WordLanguage> = Readonly<Record<Categories[Language], string>>;

/** Writes a count with the noun in the right plural. `forms` are the texts with `#` for the number, for the script that counts on. */
export interface Count {
  (count: number): string;
  readonly forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;
}

/** Makes the counting sentences of one language: `#` stands for the number. */
export function countingIn<Language extends WordLanguage>(language: Language): (forms: PluralForms<Language>) => Count {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (forms) => {
    const known: Count['forms'] = { other: '', ...forms };
    const write = (count: number) => (known[rules.select(count)] ?? known.other).replaceAll('#', numbers.format(count));
    return Object.assign(write, { forms: known });
  };
}
