import {
  countTexts,
  fieldsOf,
  isMet,
  optionConditions,
  publishWarning,
  type FormSettings,
  type Payment,
  type PublishWarning,
  type TranslatableForm,
} from '@sheaf/contracts';
import { removedOptions, type Content } from '../content/content-changes';

/** The other texts for respondents, and the languages that they can choose. */
export type FormTexts = TranslatableForm & Pick<FormSettings, 'languages' | 'default_language'>;

type Previous = (Content & { version: number }) | undefined;

/** The warnings about a publication. `previous` is the version before it, if any. */
export function publishWarnings(content: Content, previous: Previous, form: FormTexts): PublishWarning[] {
  const { fields, payment } = content;
  const warnings: PublishWarning[] = [
    ...(fieldsOf(fields).length === 0 ? [publishWarning('no_fields')] : []),
    ...paymentWarnings(payment, previous),
    ...translationWarnings(content, form),
    ...optionWarnings(content),
  ];
  if (!previous) return warnings;

  const { version } = previous;
  if (JSON.stringify([fields, payment]) === JSON.stringify([previous.fields, previous.payment]))
    return [...warnings, publishWarning('nothing_changed', { version })];

  const later = new Map(fieldsOf(fields).map((field) => [field.key, field]));
  for (const field of fieldsOf(previous.fields)) {
    const { key, type } = field;
    const now = later.get(key);
    const options = now ? removedOptions(field, now).length : 0;
    if (now === undefined) warnings.push(publishWarning('field_removed', { key, version }));
    else if (now.type !== type) warnings.push(publishWarning('field_retyped', { key, version, from: type, to: now.type }));
    else if (options > 0) warnings.push(publishWarning('options_removed', { key, version, options }));
  }
  return warnings;
}

/** Required fields without an option that is always offered, unless there is one for each option of another field, as in a cascade. */
function optionWarnings({ fields: items }: Content): PublishWarning[] {
  const fields = fieldsOf(items);
  return fields.flatMap((field) => {
    const conditions = field.required ? optionConditions(field) : undefined;
    if (!conditions || conditions.always.size > 0) return [];
    const compared = conditions.groups.map(({ condition }) => condition);
    const isServed = fields.some(({ key, options }) =>
      options?.every(({ value }) => compared.some((condition) => condition.key === key && isMet(condition, { [key]: value }))),
    );
    return isServed ? [] : [publishWarning('options_conditional', { key: field.key })];
  });
}

function paymentWarnings(payment: Payment | undefined, previous: Previous): PublishWarning[] {
  const paid = previous?.payment;
  // This service does not know whether payments are set up, and that may change.
  if (payment && !paid) return [publishWarning('payment_added', payment)];
  if (!previous || !paid) return [];
  const before = { version: previous.version, amount_before: paid.amount, currency_before: paid.currency };
  if (!payment) return [publishWarning('payment_removed', before)];
  const isSame = payment.amount === paid.amount && payment.currency === paid.currency;
  return isSame ? [] : [publishWarning('payment_changed', { ...before, ...payment })];
}

/** One for each language that respondents can choose and that lacks texts. */
function translationWarnings({ fields }: Content, form: FormTexts): PublishWarning[] {
  const own = form.default_language ?? form.languages?.[0];
  return (form.languages ?? []).flatMap((language) => {
    const { all: texts, missing } = countTexts(form, fields, language);
    return language === own || missing === 0 ? [] : [publishWarning('untranslated', { language, texts, missing })];
  });
}
