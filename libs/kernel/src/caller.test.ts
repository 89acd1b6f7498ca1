import { admit, demandScope, hasScope, instanceOf, type ServiceAccount, type User } from './caller';

const person: User = { kind: 'user', id: 'u', instanceId: 'i', workspaceId: 'w', roles: {}, via: 'api_key', credentialId: 'k' };
const robot: ServiceAccount = { kind: 'service_account', id: 's', instanceId: 'i', scopes: ['forms:read'], credentialId: 'k' };

it('gives a person every scope and a service account only its granted scopes', () => {
  expect(hasScope(person, 'hooks:manage')).toBe(true);
  expect(hasScope(robot, 'forms:read')).toBe(true);
  expect(hasScope(robot, 'forms:write')).toBe(false);
});

it('requires one of the scopes from a service account and names them', () => {
  expect(() => demandScope(robot, ['hooks:manage', 'forms:read'])).not.toThrow();
  expect(() => demandScope(person, ['hooks:manage'])).not.toThrow();
  expect(() => demandScope(robot, ['hooks:manage'])).toThrow(
    expect.objectContaining({ code: 'insufficient_scope', message: 'This operation needs the scope hooks:manage.' }) as Error,
  );
});

it('admits the kinds of callers that an operation names and refuses all others', () => {
  expect(admit(person, ['user', 'service_account'])).toBe(person);
  expect(() => admit(robot, ['user'])).toThrow('not for this kind of caller');
});

it('finds no instance for a service', () => {
  expect(instanceOf(robot)).toBe('i');
  expect(() => instanceOf({ kind: 'service', id: 'delivery' })).toThrow('belongs to an instance');
});
