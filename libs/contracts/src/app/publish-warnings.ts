import type { FieldType } from '../fields/field-kinds';
import type { Payment } from './payment';

interface OfVersion {
  version: number;
}
interface OfField extends OfVersion {
  key: string;
}

/**
 * The warnings for a publisher. The keys are the codes that programs branch on; new ones may be added. Each function writes the English
 * sentence from the warning's parameters.
 */
const messages = {
  no_fields: () => 'The form has no fields.',
  payment_added: (price: Payment) => `Respondents now pay ${printed(price)}. If payments are not set up, the form accepts no submissions.`,
  payment_changed: ({ version, ...prices }: Payment & PriceBefore & OfVersion) =>
    `Respondents paid ${printed(priceBefore(prices))} in version ${version} and now pay ${printed(prices)}.`,
  payment_removed: ({ version, ...before }: PriceBefore & OfVersion) =>
    `Respondents paid ${printed(priceBefore(before))} in version ${version} and now pay nothing.`,
  untranslated: ({ language, texts, missing }: { language: string; texts: number; missing: number }) =>
    `${missing} of ${texts} texts are not translated into ${language}. Respondents see them in another language.`,
  options_conditional: ({ key }: { key: string }) =>
    `The required field "${key}" is left out wherever other answers hide all of its options. If one should always be there, take the condition off it.`,
  pictures_unseen: ({ key }: { key: string }) =>
    `The field "${key}" is a dropdown, which shows none of the pictures of its options. As a list or as buttons, it shows them.`,
  thank_you_lacks: ({ key }: { key: string }) =>
    `The thank-you text shows the answer to "${key}", which is no field of the form. Nothing is shown there, or what the text has for it.`,
  nothing_changed: ({ version }: OfVersion) => `Nothing has changed since version ${version}.`,
  field_removed: ({ key, version }: OfField) => `The field "${key}" of version ${version} was removed. ${kept(version)}`,
  field_retyped: ({ key, version, from, to }: OfField & { from: FieldType; to: FieldType }) =>
    `The field "${key}" had type ${from} in version ${version} and now has type ${to}. ${kept(version)}`,
  options_removed: ({ key, version, options }: OfField & { options: number }) =>
    `The field "${key}" of version ${version} has lost ${options} ${options === 1 ? 'option' : 'options'}. ${kept(version)}`,
};

/** The price of the version before, under names of its own. */
export interface PriceBefore {
  amount_before?: number | undefined;
  amount_from_before?: string | undefined;
  currency_before: string;
}

export const priceBefore = ({ amount_before: amount, amount_from_before: from, currency_before: currency }: PriceBefore): Payment => ({
  ...(amount === undefined ? {} : { amount }),
  ...(from === undefined ? {} : { amount_from: from }),
  currency,
});

const printed = ({ amount, amount_from: key, currency }: Payment): string =>
  key === undefined ? `${amount} ${currency} (in the smallest unit)` : `the answer to "${key}" in ${currency}`;
const kept = (version: number): string => `Answers collected up to version ${version} remain readable.`;

export type PublishWarningCode = keyof typeof messages;

/** The codes in the order of the table, for the documentation. */
export const publishWarningCodes = Object.keys(messages) as [PublishWarningCode, ...PublishWarningCode[]];

/** The facts from which the sentence of each warning is written. */
export type PublishWarningParams = {
  [Code in PublishWarningCode]: Parameters<(typeof messages)[Code]> extends [infer Params] ? Params : Readonly<Record<string, never>>;
};

type ParamsOf<Code extends PublishWarningCode> = Parameters<(typeof messages)[Code]>;

export function publishWarning<Code extends PublishWarningCode>(code: Code, ...params: ParamsOf<Code>) {
  const write = messages[code] as (...params: ParamsOf<Code>) => string;
  return { code, params: { ...params[0] } as Record<string, number | string>, message: write(...params) };
}
