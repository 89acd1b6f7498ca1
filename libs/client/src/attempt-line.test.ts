import { attemptLine } from './attempt-line';
import type { LoggedAttempt } from './generated/types.gen';

const attempt: LoggedAttempt = {
  delivery_id: 'd',
  number: 2,
  event: 'submission.created',
  form_id: 'f',
  subscription_id: 'w',
  url: 'https://hooks.example.org/',
  started_at: '2026-03-04T10:00:00.000Z',
  in_progress: false,
  duration_ms: 7,
};
const line = (rest: Partial<LoggedAttempt>, hasColours = false) => attemptLine({ ...attempt, ...rest }, { hasColours });

it('an attempt is a line with its answer, or with why there was none', () => {
  const rest = '      7 ms  submission.created  –  attempt 2  w  https://hooks.example.org/';
  expect(line({ status: 204 })).toBe(`2026-03-04T10:00:00.000Z  204    ${rest}`);
  expect(line({ status: 503, error: 'status' })).toBe(`2026-03-04T10:00:00.000Z  503    ${rest}`);
  expect(line({ status: 204, batch_id: 'b1' })).toBe(`2026-03-04T10:00:00.000Z  204    ${rest.replace('2  w', '2  batch b1  w')}`);
  expect(line({ error: 'timeout' })).toBe(`2026-03-04T10:00:00.000Z  timeout${rest}`);
  expect(line({ error: 'dns', code: 'ENOTFOUND' })).toBe(`2026-03-04T10:00:00.000Z  dns    ${rest}  ENOTFOUND`);
});

it('a success is green and a failure red, and nothing else controls the terminal', () => {
  expect(line({ status: 204 }, true)).toContain('\u001b[32m204    \u001b[0m');
  expect(line({ error: 'timeout' }, true)).toContain('\u001b[31mtimeout\u001b[0m');
  const shown = line({ status: 200, reference: '\u001b[2J\u202e' });
  for (const hidden of ['\u001b', '\u202e']) expect(shown).not.toContain(hidden);
});
