import { Problem } from '@sheaf/kernel';
import { problemOf, whenViolated } from './failure';

const refused = (fields: object) => Object.assign(new Error('duplicate key value violates unique constraint "form_slug_key"'), fields);

it('converts a violated constraint to its problem', () => {
  const convert = whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') });

  expect(() => convert(refused({ code: '23505', constraint: 'form_slug_key' }))).toThrow('slug: is taken');
});

it('rethrows errors of other constraints', () => {
  const convert = whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') });
  const other = refused({ code: '23505', constraint: 'other_key' });

  expect(() => convert(other)).toThrow(other);
});

it.each([
  ['the server is down', { code: 'ECONNREFUSED' }],
  ['the network to the server is cut', { code: 'EHOSTUNREACH' }],
  ['there is no network', { code: 'ENETUNREACH' }],
  ['the server is shutting down', { code: '57P01' }],
  ['the disk is full', { code: '53100' }],
  ['a statement ran into its timeout', { code: '57014' }],
  ['the server is read-only', { code: '25006' }],
  ['concurrent transactions conflicted', { code: '40001' }],
  ['a deadlock was resolved against it', { code: '40P01' }],
  ['the server fell silent', { message: 'Query read timeout' }],
  ['the server took too long to connect', { message: 'timeout expired' }],
  ['no connection is free', { name: 'KnexTimeoutError' }],
  ['the connection broke', { message: 'Connection terminated unexpectedly' }],
  ['the connection broke in a transaction', { message: 'ROLLBACK - Connection terminated unexpectedly' }],
  ['the connection had broken before', { message: 'select 1 - Client has encountered a connection error and is not queryable' }],
])('invites a retry when %s', (_, fields) => {
  expect(problemOf(refused(fields)).code).toBe('unavailable');
});

it('reports a fault in our code as internal, without its text', () => {
  const problem = problemOf(refused({ code: '42601' }));

  expect(problem.code).toBe('internal_error');
  expect(problem.message).not.toContain('form_slug_key');
});

it('does not mistake user content for a broken connection', () => {
  expect(
    problemOf(refused({ message: "insert into form (title) values ('Connection terminated unexpectedly') - syntax error" })).code,
  ).toBe('internal_error');
});
