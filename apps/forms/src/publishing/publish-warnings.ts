import { isDeepStrictEqual } from 'node:util';
import {
  countTexts,
  fieldsOf,
  isMet,
  isRepeat,
  keysInThanks,
  Look,
  optionConditions,
  publishWarning,
  withFieldsOfItems,
  type Condition,
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
    ...pictureWarnings(content),
    ...thanksWarnings(content, form),
  ];
  if (!previous) return warnings;

  const { version } = previous;
  if (JSON.stringify([fields, payment]) === JSON.stringify([previous.fields, previous.payment]))
    return [...warnings, publishWarning('nothing_changed', { version })];

  const later = new Map(fieldsOf(withFieldsOfItems(fields)).map((field) => [field.key, field]));
  for (const field of fieldsOf(withFieldsOfItems(previous.fields))) {
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
  const fields = fieldsOf(withFieldsOfItems(items));
  const choices = new Map(fields.flatMap(({ key, options }) => (options === undefined ? [] : [[key, options] as const])));
  const look = new Look();
  let left = mostCompared;
  return fields.flatMap((field) => {
    const conditions = field.required ? optionConditions(field) : undefined;
    if (!conditions || conditions.always.size > 0) return [];
    const byKey = new Map<string, Condition[]>();
    for (const { condition } of conditions.groups) {
      const compared = byKey.get(condition.key ?? '') ?? [];
      byKey.set(condition.key ?? '', compared);
      compared.push(condition);
    }
    const isMetBy = (key: string, compared: readonly Condition[]) => {
      const served = new Set<unknown>(compared.flatMap(({ equals, in: among = [] }) => [equals, ...among]));
      const others = compared.filter(({ equals, in: among }) => equals === undefined && among === undefined);
      return choices
        .get(key)
        ?.every(({ value }) => served.has(value) || others.some((each) => (left -= 1) > 0 && isMet(each, { [key]: value }, look)));
    };
    const isServed = [...byKey].some(([key, compared]) => isMetBy(key, compared));
    return isServed || left <= 0 ? [] : [publishWarning('options_conditional', { key: field.key })];
  });
}

/** The most conditions that are compared with values one by one. A form with more is not warned: it would take long to know. */
const mostCompared = 20_000;

const pictureWarnings = ({ fields }: Content): PublishWarning[] =>
  fieldsOf(fields).flatMap(({ key, appearance, options = [] }) =>
    appearance === 'dropdown' && options.some(({ image }) => image) ? [publishWarning('pictures_unseen', { key })] : [],
  );

/** The thank-you is no part of a version, so it cannot refuse to lose a question whose answer it shows. */
function thanksWarnings({ fields }: Content, form: FormTexts): PublishWarning[] {
  const keys = new Set(fieldsOf(fields).flatMap((field) => (isRepeat(field) ? [] : [field.key])));
  return [...keysInThanks(form)].filter((key) => !keys.has(key)).map((key) => publishWarning('thank_you_lacks', { key }));
}

function paymentWarnings(payment: Payment | undefined, previous: Previous): PublishWarning[] {
  const paid = previous?.payment;
  // This service does not know whether payments are set up, and that may change.
  if (payment && !paid) return [publishWarning('payment_added', payment)];
  if (!previous || !paid) return [];
  const before = {
    version: previous.version,
    ...(paid.amount_from === undefined ? { amount_before: paid.amount } : { amount_from_before: paid.amount_from }),
    currency_before: paid.currency,
  };
  if (!payment) return [publishWarning('payment_removed', before)];
  return isDeepStrictEqual(payment, paid) ? [] : [publishWarning('payment_changed', { ...before, ...payment })];
}

/** One for each language that respondents can choose and that lacks texts. */
function translationWarnings({ fields }: Content, form: FormTexts): PublishWarning[] {
  const own = form.default_language ?? form.languages?.[0];
  return (form.languages ?? []).flatMap((language) => {
    const { all: texts, missing } = countTexts(form, fields, language);
    return language === own || missing === 0 ? [] : [publishWarning('untranslated', { language, texts, missing })];
  });
}
