/** The forms of a word for a number, such as `{ one: 'form', other: 'forms' }`. Languages have up to six; where one is left out, `other` is said. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Chooses the form of a word for a number, by the rules of a language. */
export function pluralOf(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
