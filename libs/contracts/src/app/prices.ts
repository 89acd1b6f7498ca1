/** Stripe's maximum for most currencies, in the smallest unit: 999,999.99. */
export const maxAmount = 99_999_999;

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

/** Stripe writes these with two decimals, and charges none. */
const onlyWhole: ReadonlySet<string> = new Set(['isk', 'ugx']);

/** The least that Stripe charges in the currencies that accounts are paid out in, in the smallest unit (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const least: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['aud', 'brl', 'cad', 'chf', 'eur', 'inr', 'jpy', 'nzd', 'sgd', 'usd'].map((code) => [code, 50])),
  ...Object.fromEntries(['aed', 'myr', 'pln', 'ron'].map((code) => [code, 200])),
  ...{ bgn: 100, czk: 1_500, dkk: 250, gbp: 30, hkd: 400, huf: 17_500, mxn: 1_000, nok: 300, sek: 300, thb: 1_000 },
};

/** In other currencies it follows from the rate of exchange, and only Stripe knows it. */
export const leastAmountOf = (currency: string): number => least[currency.toLowerCase()] ?? 1;

/** How many decimals Stripe can charge: of three, the last one has to be 0. */
export const chargedDecimalsOf = (currency: string): number =>
  onlyWhole.has(currency.toLowerCase()) ? 0 : Math.min(decimalsOf(currency), 2);
