import { isOpen } from './openness';

const at = (time: string) => new Date(`2026-06-01T${time}:00Z`);
const form = { status: 'active', opensAt: at('09:00'), closesAt: at('17:00') };

it.each([
  ['before it opens', form, '08:59', false],
  ['at the moment it opens', form, '09:00', true],
  ['just before it closes', form, '16:59', true],
  ['at the moment it closes', form, '17:00', false],
  ['without opening and closing times', { status: 'active', opensAt: undefined, closesAt: undefined }, '03:00', true],
  ['archived', { ...form, status: 'archived' }, '12:00', false],
  ['disabled', { ...form, status: 'disabled' }, '12:00', false],
  ['in an unknown status', { ...form, status: 'paused' }, '12:00', false],
] as const)('decides whether a form is open: %s', (_, state, time, open) => {
  expect(isOpen(state, at(time))).toBe(open);
});
