import { z } from 'zod';
import { described } from '../described';
import { createdAt, offsetInstant, ownId, scopeList, trimmed, wholeListOf } from '../shapes';
import { ApiKey } from './api-keys';
import { carriedAs } from './message';
import { operation } from './operation';
import { pathParam } from './params';

const name = <T extends z.ZodType>(shape: T) => described(shape, 'The name.', 'Sync robot');
const scopes = <T extends z.ZodType>(shape: T) => described(shape, 'The scopes.', ['forms:read', 'submissions:read']);
const keySample = 'shf_s_7Qm…';

export const ServiceAccountKey = described(
  ApiKey.omit({ name: true }).extend({
    prefix: described(z.string(), 'The first characters of the key, which identify it in lists.', 'shf_s_7Qm'),
  }),
  'A key of a service account, without the key itself.',
);

/** `keys`: there may be two, so that one can replace the other without downtime. */
export const ServiceAccount = described(
  z.object({
    id: ownId(),
    name: name(z.string()),
    scopes: scopes(z.array(z.string())),
    created_at: createdAt(),
    keys: described(z.array(ServiceAccountKey), 'The valid keys.'),
  }),
  'An account for a program, with its own scopes and keys.',
);

export const ServiceAccountList = described(wholeListOf(ServiceAccount), 'A list of service accounts.');
carriedAs(ServiceAccountList, { names: { data: 'service_accounts' } });

export const CreatedServiceAccount = described(
  ServiceAccount.extend({ key: described(z.string(), "The account's first key itself. It is shown only once.", keySample) }),
  'A new service account, with its first key.',
);
carriedAs(CreatedServiceAccount, { message: 'ServiceAccount' });

export const CreatedServiceAccountKey = described(
  ServiceAccountKey.extend({ key: described(z.string(), 'The key itself. It is shown only once.', keySample) }),
  'A new key of a service account, with the key itself.',
);
carriedAs(CreatedServiceAccountKey, { message: 'ServiceAccountKey' });

export const ServiceAccountRequest = described(
  z.object({ name: name(trimmed(1, 100)), scopes: scopes(scopeList()) }),
  'The service account to create.',
);

export const ServiceAccountUpdateRequest = described(
  z.object({ name: name(trimmed(1, 100).optional()), scopes: scopes(scopeList().optional()) }),
  'Changes to a service account. Absent properties stay unchanged.',
);
carriedAs(ServiceAccountUpdateRequest, { message: 'ServiceAccountPatch' });

export const ServiceAccountKeyRequest = described(
  z.object({
    expires_at: described(offsetInstant().optional(), 'The expiry time; absent if the key does not expire.', '2027-01-01T00:00:00.000Z'),
  }),
  'The key to create for a service account.',
);

const path = '/app/v1/service-accounts';
const idText = "The service account's id.";
const ofAccount = { path: `${path}/:id`, params: { id: pathParam('id', idText) } } as const;
const accountId = pathParam('service_account_id', idText);
const byManagers = { access: 'session', onInstance: 'manage service accounts' } as const;

export const listServiceAccounts = operation({
  ...byManagers,
  access: 'person',
  method: 'get',
  path,
  summary: 'List service accounts',
  description: 'Lists the service accounts of the instance and their valid keys. For owners and admins of the instance.',
  status: 200,
  reply: ServiceAccountList,
  errors: [401, 403],
  rpc: 'workspaces.ListServiceAccounts',
});

export const createServiceAccount = operation({
  ...byManagers,
  method: 'post',
  path,
  summary: 'Create a service account',
  description: 'Creates a service account with its first key. Only this response contains the key. For owners and admins of the instance.',
  body: ServiceAccountRequest,
  status: 201,
  reply: CreatedServiceAccount,
  errors: [400, 401, 403],
  rpc: 'workspaces.CreateServiceAccount',
});

export const updateServiceAccount = operation({
  ...byManagers,
  ...ofAccount,
  method: 'patch',
  summary: 'Update a service account',
  description:
    'Changes the name or scopes of a service account. New scopes take effect within a second. For owners and admins of the instance.',
  patch: ServiceAccountUpdateRequest,
  status: 200,
  reply: ServiceAccount,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.UpdateServiceAccount',
});

export const deleteServiceAccount = operation({
  ...byManagers,
  ...ofAccount,
  method: 'delete',
  summary: 'Delete a service account',
  description: 'Deletes a service account. Its keys stop working within a second. For owners and admins of the instance.',
  status: 204,
  errors: [401, 403, 404],
  rpc: 'workspaces.DeleteServiceAccount',
});

export const createServiceAccountKey = operation({
  ...byManagers,
  method: 'post',
  path: `${path}/:id/keys`,
  params: { id: accountId },
  summary: 'Create a key of a service account',
  description: 'Creates a second key, so that keys can be replaced without downtime. At most two keys are valid at a time.',
  body: ServiceAccountKeyRequest,
  status: 201,
  reply: CreatedServiceAccountKey,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.CreateServiceAccountKey',
});

export const revokeServiceAccountKey = operation({
  ...byManagers,
  method: 'delete',
  path: `${path}/:id/keys/:keyId`,
  params: { id: accountId, keyId: pathParam('id', "The key's id.") },
  summary: 'Revoke a key of a service account',
  description: 'Revokes one key of a service account. It stops working within a second.',
  status: 204,
  errors: [401, 403, 404],
  rpc: 'workspaces.RevokeServiceAccountKey',
});
