import { closedBecause } from './openness';

const at = (time: string) => new Date(`2026-06-01T${time}:00Z`);
const form = { status: 'active', opensAt: at('09:00'), closesAt: at('17:00') };

it.each([
  ['before it opens', form, '08:59', 'not_yet_open'],
  ['at the moment it opens', form, '09:00', undefined],
  ['just before it closes', form, '16:59', undefined],
  ['at the moment it closes', form, '17:00', 'closed'],
  ['without opening and closing times', { status: 'active', opensAt: undefined, closesAt: undefined }, '03:00', undefined],
  ['disabled and before it opens', { ...form, status: 'disabled' }, '08:59', 'disabled'],
  ['archived', { ...form, status: 'archived' }, '12:00', 'disabled'],
  ['disabled', { ...form, status: 'disabled' }, '12:00', 'disabled'],
  ['in an unknown status', { ...form, status: 'paused' }, '12:00', 'disabled'],
] as const)('decides whether a form is open, and why not: %s', (_, state, time, reason) => {
  expect(closedBecause(state, at(time))).toBe(reason);
});
