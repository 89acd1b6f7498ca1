import { chargedDecimalsOf, decimalsOf, leastAmountOf, maxAmount, type Payment } from '@sheaf/contracts';
import { propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { priceFault, priceOf } from './price';

const from = (currency: string): Payment => ({ amount_from: 'total', currency });

describe('the price of answers', () => {
  it('is the amount that the author chose, whatever the answers are', () => {
    const fixed = { amount: 2_500, currency: 'eur' };
    expect(priceOf(fixed, { total: 3, amount: 1 })).toEqual(fixed);
    expect(priceFault(fixed, { total: -3 })).toBeUndefined();
  });

  it.each([
    ['eur', 25, 2_500],
    ['eur', 0.1, 10],
    ['eur', 10.004_999, 1_000],
    // As doubles, 1.005 * 100 is less than 100.5, and 8.345 * 100 is 834.5000000000001.
    ['eur', 1.005, 101],
    ['eur', 8.345, 835],
    ['eur', 8.344_999_999_999_99, 834],
    ['eur', 0.005, 1],
    ['eur', 1e-7, undefined],
    ['jpy', 1_500, 1_500],
    ['jpy', 1_499.5, 1_500],
    ['jpy', 0.49, undefined],
    // Stripe takes three decimals only if the last one is 0.
    ['kwd', 1.234, 1_230],
    ['kwd', 1.235, 1_240],
    // These have two decimals at Stripe, which have to be 0.
    ['isk', 499.5, 50_000],
    ['ugx', 1_500.4, 150_000],
    // No decimals in everyday use, but two at Stripe.
    ['tzs', 1_500.25, 150_025],
    ['EUR', 1, 100],
  ])('in %s is, of %d, %j of the smallest unit', (currency, total, amount) => {
    expect(priceOf(from(currency), { total })?.amount).toBe(amount);
  });

  it.each([[{}], [{ total: 0 }], [{ total: '25' }], [{ total: null }], [{ total: true }], [{ constructor: 1 }], [{ total: -0.004 }]])(
    'is nothing for %j',
    (answers) => {
      expect(priceOf(from('eur'), answers)).toBeUndefined();
      expect(priceFault(from('eur'), answers)).toBeUndefined();
    },
  );

  it('is nothing for an answer that only every object has', () => {
    expect(priceOf({ amount_from: 'constructor', currency: 'eur' }, {})).toBeUndefined();
  });

  it.each([
    ['eur', -0.005, { code: 'too_small', params: { min: 0 }, message: 'must be at least 0' }],
    ['eur', -25, { code: 'too_small' }],
    ['eur', 0.004, undefined],
    ['eur', 0.494, { code: 'too_small', params: { min: 0.5 }, message: 'must be at least 0.5' }],
    ['eur', 0.495, undefined],
    ['jpy', 49, { code: 'too_small', params: { min: 50 } }],
    ['kwd', 0.01, undefined],
    ['eur', 999_999.994, undefined],
    ['eur', 999_999.995, { code: 'too_large', params: { max: 999_999.99 }, message: 'must be at most 999999.99' }],
    ['eur', 1e21, { code: 'too_large' }],
    ['jpy', 99_999_999, undefined],
    ['jpy', 100_000_000, { code: 'too_large', params: { max: 99_999_999 } }],
    ['kwd', 99_999.99, undefined],
    ['kwd', 99_999.996, { code: 'too_large', params: { max: 99_999.99 } }],
    ['isk', 1_000_000, { code: 'too_large', params: { max: 999_999 } }],
  ])('in %s cannot be that of %d: %j', (currency, total, fault) => {
    const found = priceFault(from(currency), { total });
    if (fault) expect(found).toMatchObject({ key: 'total', ...fault });
    else expect(found).toBeUndefined();
  });

  it('is never anything but the nearest amount that can be charged, reckoned with whole numbers only', () => {
    const currency = fc.constantFrom('eur', 'jpy', 'kwd', 'isk', 'tzs');
    // A stored answer has at most 15 digits.
    const digits = fc.tuple(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(currency, digits, (code, [mantissa, places]) => {
        const total = Number(`${mantissa}e-${places}`);
        const amount = BigInt(priceOf(from(code), { total })?.amount ?? 0);
        const isPayable = amount === 0n || (amount >= BigInt(leastAmountOf(code)) && amount <= BigInt(maxAmount));
        expect(priceFault(from(code), { total }) === undefined).toBe(isPayable);
        // Only an amount that is refused can be too large for a number to hold exactly.
        if (!Number.isSafeInteger(Number(amount))) return;
        const step = 10n ** BigInt(decimalsOf(code) - chargedDecimalsOf(code));
        // Twice the distance between the answer and the price, and twice half a step, both in the unit of the last digit.
        const unit = 10n ** BigInt(places);
        const off = amount * unit - mantissa * 10n ** BigInt(decimalsOf(code));
        const distance = 2n * (off < 0n ? -off : off);
        expect(amount % step).toBe(0n);
        expect(distance <= step * unit).toBe(true);
        // Of two that are as near, the one further from 0.
        if (distance === step * unit) expect(off < 0n).toBe(mantissa < 0n);
      }),
      propertyRuns(2_000),
    );
  });
});
