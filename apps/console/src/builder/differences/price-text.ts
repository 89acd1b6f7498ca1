import { decimalsOf, type Payment } from '@sheaf/contracts';
import type { Language } from '../../words/language';
import type { Words } from '../../words/words';

/**
 * A price as the pages of forms write it, without the words that they have in all languages.
 * @param nameOf the name of a field under which people know it
 */
export function priceText(
  { amount, amount_from: key, currency }: Payment,
  language: Language,
  say: Words['builder']['page'],
  nameOf = (key: string) => key,
): string {
  if (amount === undefined) return say.priceFrom(nameOf(key ?? ''), currency.toUpperCase());
  const digits = decimalsOf(currency);
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(language, style).format(amount / 10 ** digits);
}
