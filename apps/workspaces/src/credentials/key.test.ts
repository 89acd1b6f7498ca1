import { fingerprint, isKey, newKey, shownPrefix } from './key';

it('creates keys that show the kind of their owner and pass its own check', () => {
  const [user, account] = [newKey('user'), newKey('service_account')];

  expect(user).toMatch(/^shf_u_[0-9A-Za-z]{49}$/);
  expect(account).toMatch(/^shf_s_[0-9A-Za-z]{49}$/);
  expect(isKey(user) && isKey(account)).toBe(true);
});

it('detects each mistyped character', () => {
  const key = newKey('user');
  for (let at = 0; at < key.length; at++) {
    const wrong = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
    expect(isKey(wrong)).toBe(false);
  }
});

it('accepts nothing else as a key', () => {
  for (const text of ['', 'shf_u_', 'shf_u_' + 'a'.repeat(49), newKey('user') + 'a', 'x'.repeat(10_000)]) expect(isKey(text)).toBe(false);
});

it('shows little of a key and stores only its hash', () => {
  const key = newKey('user');

  expect(shownPrefix(key)).toHaveLength(12);
  expect(fingerprint(key)).toHaveLength(32);
  expect(fingerprint(key)).not.toEqual(fingerprint(newKey('user')));
});
