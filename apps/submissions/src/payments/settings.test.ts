import { readConfig } from '@sheaf/runtime';
import { z } from 'zod';
import { collectsPayments, paymentSettings, requireCompleteSetup } from './settings';

const read = (env: NodeJS.ProcessEnv) => readConfig(z.object(paymentSettings).superRefine(requireCompleteSetup), env);
const whole = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks?s={submission_id}',
};

it('is no setup at all without a key', () => {
  expect(collectsPayments(read({}))).toBe(false);
  expect(collectsPayments(read(whole))).toBe(true);
});

it('is refused when it would take money and never hear of it, or lead nowhere', () => {
  expect(() => read({ STRIPE_SECRET_KEY: 'sk_test_1' })).toThrow('STRIPE_WEBHOOK_SECRET: is not set\n  PAYMENT_SUCCESS_URL: is not set');
  expect(() => read({ ...whole, STRIPE_WEBHOOK_SECRET: ' , ' })).toThrow('STRIPE_WEBHOOK_SECRET: must contain a secret');
  expect(() => read({ ...whole, PAYMENT_SUCCESS_URL: 'forms.example.org' })).toThrow('PAYMENT_SUCCESS_URL: must be a web address');
});

it('may have two secrets while one replaces the other', () => {
  expect(read({ ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' }).STRIPE_WEBHOOK_SECRET).toEqual(['whsec_1', 'whsec_2']);
  expect(() => read({ ...whole, STRIPE_WEBHOOK_SECRET: 'a,b,c' })).toThrow('STRIPE_WEBHOOK_SECRET: must contain at most two secrets');
});

it('says nothing of the secrets that it refuses', () => {
  expect(() => read({ ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b,whsec_c' })).not.toThrow(/whsec_/);
});
