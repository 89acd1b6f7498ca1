/**
 * The decimals of currencies that do not have two, as Stripe counts the smallest unit (https://docs.stripe.com/currencies). `Intl` follows
 * everyday use instead, such as no decimals for the Tanzanian shilling, and would show a price a hundred times too high.
 */
const decimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'].map((code) => [code, 0]),
  ),
  ...Object.fromEntries(['bhd', 'iqd', 'jod', 'kwd', 'lyd', 'omr', 'tnd'].map((code) => [code, 3])),
};

/** How many decimals a price has: its amount is in the smallest unit, such as cents. */
export const decimalsOf = (currency: string): number => decimals[currency.toLowerCase()] ?? 2;
