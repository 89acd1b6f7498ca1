import { Problem } from '@sheaf/kernel';
import { problemOf, whenViolated } from './failure';

const refused = (fields: object) => Object.assign(new Error('duplicate key value violates unique constraint "form_slug_key"'), fields);

it('gives the violated constraint the meaning that it stands for', () => {
  const told = whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') });

  expect(() => told(refused({ code: '23505', constraint: 'form_slug_key' }))).toThrow('slug: is taken');
});

it('passes on what it has no meaning for', () => {
  const told = whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') });
  const other = refused({ code: '23505', constraint: 'other_key' });

  expect(() => told(other)).toThrow(other);
});

it.each([
  ['the server is not there', { code: 'ECONNREFUSED' }],
  ['the server is shutting down', { code: '57P01' }],
  ['a statement ran into its timeout', { code: '57014' }],
  ['the server takes no changes', { code: '25006' }],
  ['others were in the way', { code: '40001' }],
  ['it was the victim of a deadlock', { code: '40P01' }],
  ['the server fell silent', { message: 'Query read timeout' }],
  ['the server took too long to connect', { message: 'timeout expired' }],
  ['no connection is free', { name: 'KnexTimeoutError' }],
  ['the connection broke off', { message: 'Connection terminated unexpectedly' }],
  ['it broke off in a transaction', { message: 'ROLLBACK - Connection terminated unexpectedly' }],
  ['it had broken off before', { message: 'select 1 - Client has encountered a connection error and is not queryable' }],
])('invites another try when %s', (_, fields) => {
  expect(problemOf(refused(fields)).code).toBe('unavailable');
});

it('tells a fault of our own as internal, without its text', () => {
  const problem = problemOf(refused({ code: '42601' }));

  expect(problem.code).toBe('internal_error');
  expect(problem.message).not.toContain('form_slug_key');
});

it('does not take what somebody wrote for a broken connection', () => {
  expect(
    problemOf(refused({ message: "insert into form (title) values ('Connection terminated unexpectedly') - syntax error" })).code,
  ).toBe('internal_error');
});
