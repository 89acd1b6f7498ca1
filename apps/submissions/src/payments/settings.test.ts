import { readConfig } from '@sheaf/runtime';
import { z } from 'zod';
import { collectsPayments, paymentSettings, requireCompleteSetup } from './settings';

const read = (env: NodeJS.ProcessEnv) => readConfig(z.object(paymentSettings).superRefine(requireCompleteSetup), env);
const whole = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks?s={submission_id}',
};

it('collects no payments without a key', () => {
  expect(collectsPayments(read({}))).toBe(false);
  expect(collectsPayments(read(whole))).toBe(true);
});

it('refuses an incomplete configuration', () => {
  expect(() => read({ STRIPE_SECRET_KEY: 'sk_test_1' })).toThrow('STRIPE_WEBHOOK_SECRET: is not set\n  PAYMENT_SUCCESS_URL: is not set');
  expect(() => read({ ...whole, STRIPE_WEBHOOK_SECRET: ' , ' })).toThrow('STRIPE_WEBHOOK_SECRET: must contain a secret');
  expect(() => read({ ...whole, PAYMENT_SUCCESS_URL: 'forms.example.org' })).toThrow('PAYMENT_SUCCESS_URL: must be a web address');
});

it('accepts two webhook secrets during a rotation', () => {
  expect(read({ ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' }).STRIPE_WEBHOOK_SECRET).toEqual(['whsec_1', 'whsec_2']);
  expect(() => read({ ...whole, STRIPE_WEBHOOK_SECRET: 'a,b,c' })).toThrow('STRIPE_WEBHOOK_SECRET: must contain at most two secrets');
});

it('does not repeat refused secrets in its message', () => {
  expect(() => read({ ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b,whsec_c' })).not.toThrow(/whsec_/);
});
