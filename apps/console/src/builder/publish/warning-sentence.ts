import type { PublishWarning } from '@sheaf/client';
import { priceBefore, type FieldType, type Payment, type PublishWarningCode, type PublishWarningParams } from '@sheaf/contracts';
import type { Words } from '../../words/words';

/** The values that the words need beside the parameters of a warning. */
export interface WarningFacts {
  label: (key: string) => string;
  kind: (type: FieldType) => string;
  language: (tag: string) => string;
  price: (payment: Payment) => string;
  number: (value: number) => string;
  /** How many submissions it is about, such as "12 submissions". */
  submissions: string;
  /** The labels of the options that it is about. */
  options: string;
}

type Say = Words['builder']['warnings'];
type Sentence<Code extends PublishWarningCode> = (params: PublishWarningParams[Code], say: Say, facts: WarningFacts) => string;

const sentences: { readonly [Code in PublishWarningCode]: Sentence<Code> } = {
  no_fields: (_params, say) => say.no_fields,
  payment_added: (price, say, facts) => say.payment_added(facts.price(price)),
  payment_changed: (params, say, facts) => say.payment_changed(facts.price(priceBefore(params)), facts.price(params)),
  payment_removed: (params, say, facts) => say.payment_removed(facts.price(priceBefore(params))),
  untranslated: ({ language, missing, texts }, say, facts) =>
    say.untranslated(facts.language(language), facts.number(missing), facts.number(texts)),
  options_conditional: ({ key }, say, facts) => say.options_conditional(facts.label(key)),
  pictures_unseen: ({ key }, say, facts) => say.pictures_unseen(facts.label(key)),
  thank_you_lacks: ({ key }, say) => say.thank_you_lacks(key),
  nothing_changed: ({ version }, say) => say.nothing_changed(version),
  field_removed: ({ key }, say, facts) => say.field_removed(facts.submissions, facts.label(key)),
  field_retyped: ({ key, from, to }, say, facts) =>
    say.field_retyped(facts.submissions, facts.label(key), facts.kind(from), facts.kind(to)),
  options_removed: ({ key }, say, facts) => say.options_removed(facts.submissions, facts.label(key), facts.options),
};

/** A warning in the person's language. */
export function warningSentence({ code, params, message }: PublishWarning, say: Say, facts: WarningFacts): string {
  // A newer server may warn of something that has no words here yet.
  if (!Object.hasOwn(sentences, code)) return message;
  const write = sentences[code] as (params: unknown, say: Say, facts: WarningFacts) => string;
  return write(params, say, facts);
}
