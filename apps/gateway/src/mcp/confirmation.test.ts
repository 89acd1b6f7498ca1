import { TestClock } from '@sheaf/testing';
import { confirmations } from './confirmation';

const clock = new TestClock();
const publication = { credentialId: 'key', formId: 'form', revision: 3, version: 1 };
const code = confirmations('secret', clock).codeFor(publication);

it('the code of a preview confirms what was previewed, at every copy of the gateway', () => {
  expect(() => confirmations('secret', clock).demand(publication, code)).not.toThrow();
});

it.each([
  ['another key', { credentialId: 'other' }],
  ['another form', { formId: 'other' }],
  ['a draft that has changed', { revision: 4 }],
  ['a form that was published meanwhile', { version: 2 }],
])('it does not confirm %s', (_, other) => {
  expect(() => confirmations('secret', clock).demand({ ...publication, ...other }, code)).toThrow('is not of a preview');
});

it.each(['', '.', 'yes', `${code}xx`, `zzzzzzzzz.${code.split('.')[1] ?? ''}`, confirmations('other', clock).codeFor(publication)])(
  '%j, which no preview gave, confirms nothing',
  (made) => {
    expect(() => confirmations('secret', clock).demand(publication, made)).toThrow('is not of a preview');
  },
);

it('a code is too old after 15 minutes', () => {
  const later = new TestClock();
  const given = confirmations('secret', later).codeFor(publication);
  later.advance(15 * 60_000 - 1);
  expect(() => confirmations('secret', later).demand(publication, given)).not.toThrow();
  later.advance(2);
  expect(() => confirmations('secret', later).demand(publication, given)).toThrow('is older than 15 minutes');
});
