import { newId } from '@sheaf/kernel';
import { TestClock } from '@sheaf/testing';
import { Config } from '../config';
import { sessionTokens } from './session-token';

const [older, newer, foreign] = ['o'.repeat(32), 'n'.repeat(32), 'f'.repeat(32)] as const;
const clock = new TestClock();
const session = { id: newId(), expires_at: new Date(clock.now().getTime() + 60_000) };

it('a session stays valid while the secret that signed it is listed', () => {
  const token = sessionTokens([older], clock).issue(session);
  expect(sessionTokens([newer, older], clock).read(token)).toBe(session.id);
  expect(sessionTokens([newer], clock).read(token)).toBeUndefined();
});

it('a new session is signed with the first secret', () => {
  const token = sessionTokens([newer, older], clock).issue(session);
  expect(sessionTokens([newer], clock).read(token)).toBe(session.id);
  expect(sessionTokens([older, foreign], clock).read(token)).toBeUndefined();
});

it.each([
  [`${newer}, ${older}`, [newer, older]],
  [older, [older]],
])('the setting lists secrets: %s', (text, secrets) => {
  expect(Config.shape.SESSION_SECRET.parse(text)).toEqual(secrets);
});

it.each(['', 'short', `${newer},short`])('the setting refuses %j', (text) => {
  expect(Config.shape.SESSION_SECRET.safeParse(text)).toMatchObject({ success: false });
});
