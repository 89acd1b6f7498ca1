import type { OpenForm } from './known-forms';
import { priceFor } from './views';

const priceOf = (payment: OpenForm['payment'], answers: object) => priceFor({ payment }, { answers: { ...answers } });

describe('the price that pages show', () => {
  it('is that of the answers, and none if nobody can pay it', () => {
    const payment = { amount_from: 'total', currency: 'eur' };
    expect(priceOf(payment, { total: 12.5 })).toEqual({ amount: 1_250, currency: 'eur' });
    expect(priceOf(payment, { total: 1e21 })).toBeUndefined();
  });

  it('is none while an earlier release of `forms` leaves out the field that computes it, so that a page can be drawn with what was typed', () => {
    expect(priceOf({ currency: 'eur' }, { total: 12.5 })).toBeUndefined();
  });
});
