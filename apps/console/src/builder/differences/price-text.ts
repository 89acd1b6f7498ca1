import type { Payment } from '@sheaf/contracts';
import { decimalsOf } from '@sheaf/form-view';
import type { Language } from '../../words/language';

/** A price as the pages of forms write it, without the words that they have in all languages. */
export function priceText(language: Language, { amount, currency }: Payment): string {
  const digits = decimalsOf(currency);
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language, style).format(amount / 10 ** digits);
}
