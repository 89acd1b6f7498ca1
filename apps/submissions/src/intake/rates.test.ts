import { TestClock } from '@sheaf/testing';
import { intakeRate, type IntakeRate } from './rates';

const clock = new TestClock();
const tries = (take: IntakeRate, form: string, ...addresses: (string | undefined)[]) =>
  addresses.map((address) => {
    try {
      take(form, address);
      return 'taken';
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  });

it('limits each address per form until the minute is over', () => {
  const rate = intakeRate(clock, 'submissions', { perAddress: 2, perForm: 0 });
  expect(tries(rate, 'a', '9.9.9.9', '9.9.9.9', '9.9.9.9')).toEqual(['taken', 'taken', 60]);
  expect(tries(rate, 'a', '8.8.8.8')).toEqual(['taken']);
  expect(tries(rate, 'b', '9.9.9.9')).toEqual(['taken']);
  clock.advance(59_001);
  expect(tries(rate, 'a', '9.9.9.9')).toEqual([1]);
  clock.advance(999);
  expect(tries(rate, 'a', '9.9.9.9')).toEqual(['taken']);
});

it.each([
  ['addresses of one IPv6 network', '2606:4700::1', '2606:4700::ffff:2'],
  ['an IPv4 address and its IPv6-mapped form', '9.9.9.9', '::ffff:9.9.9.9'],
])('counts %s as one address', (_, one, other) => {
  expect(tries(intakeRate(clock, 'submissions', { perAddress: 1, perForm: 0 }), 'a', one, other)).toEqual(['taken', 60]);
});

it.each([['127.0.0.1'], ['::1'], ['10.1.2.3'], ['::ffff:192.168.0.1'], ['fd00::1'], ['nonsense'], [undefined]])(
  'does not limit %s, which many respondents may share',
  (address) => {
    expect(tries(intakeRate(clock, 'submissions', { perAddress: 1, perForm: 0 }), 'a', address, address)).toEqual(['taken', 'taken']);
  },
);

it('limits each form across all addresses', () => {
  expect(tries(intakeRate(clock, 'submissions', { perAddress: 0, perForm: 2 }), 'a', '9.9.9.9', undefined, '8.8.8.8')).toEqual([
    'taken',
    'taken',
    60,
  ]);
});

it('does not count attempts against the form that exceed the limit of their address', () => {
  const rate = intakeRate(clock, 'submissions', { perAddress: 1, perForm: 2 });
  expect(tries(rate, 'a', '9.9.9.9', '9.9.9.9', '9.9.9.9', '8.8.8.8')).toEqual(['taken', 60, 60, 'taken']);
});

it('has no limit if the limit is 0', () => {
  const many = Array.from({ length: 1_000 }, () => '9.9.9.9');
  expect(new Set(tries(intakeRate(clock, 'submissions', { perAddress: 0, perForm: 0 }), 'a', ...many))).toEqual(new Set(['taken']));
});
