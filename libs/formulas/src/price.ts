import Big from 'big.js';
import { answerFault, chargedDecimalsOf, decimalsOf, leastAmountOf, maxAmount, type AnswerRefusal, type Payment } from '@sheaf/contracts';

/** An amount in the smallest unit of its currency. */
export interface Price {
  amount: number;
  currency: string;
}

/**
 * The price of answers, which may be one that nobody can pay. The answer from which it comes is an exact decimal; it is rounded here, once, half
 * away from zero, to the smallest amount that can be charged. Undefined if nothing is to be paid: the answer is 0, or empty, as one is whose
 * question the other answers hide.
 * @param answers as they are accepted, with those that are computed
 */
export function priceOf({ amount, amount_from: key, currency }: Payment, answers: Readonly<Record<string, unknown>>): Price | undefined {
  if (amount !== undefined) return { amount, currency };
  if (key === undefined) throw new Error('a price has neither an amount nor a field that computes it');
  const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (typeof answer !== 'number') return undefined;
  const due = smallestUnits(answer, currency);
  return due === 0 ? undefined : { amount: due, currency };
}

const smallestUnits = (answer: number, currency: string): number =>
  Number(
    new Big(answer)
      .round(chargedDecimalsOf(currency), Big.roundHalfUp)
      .times(new Big(10).pow(decimalsOf(currency)))
      .toString(),
  );

/** Why the price of answers is refused. An amount that the author chose is within the bounds. */
export function priceFault(payment: Payment, answers: Readonly<Record<string, unknown>>): ({ key: string } & AnswerRefusal) | undefined {
  const { amount_from: key, currency } = payment;
  const price = priceOf(payment, answers);
  if (key === undefined || !price) return undefined;
  const { amount } = price;
  if (amount < 0) return { key, ...answerFault('too_small', { min: 0 }) };
  const least = leastAmountOf(currency);
  if (amount < least) return { key, ...answerFault('too_small', { min: written(least, currency) }) };
  return amount > maxAmount ? { key, ...answerFault('too_large', { max: written(maxAmount, currency) }) } : undefined;
}

/** An amount as people write it, such as 999999.99 euros. */
const written = (amount: number, currency: string): number =>
  Number(
    new Big(amount)
      .div(new Big(10).pow(decimalsOf(currency)))
      .round(chargedDecimalsOf(currency), Big.roundDown)
      .toString(),
  );
