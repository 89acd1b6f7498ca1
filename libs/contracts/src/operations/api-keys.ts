import { z } from 'zod';
import { described } from '../described';
import { createdAt, instant, offsetInstant, ownId, trimmed, wholeListOf } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { pathParam } from './params';

const nameSample = 'Nightly report';
const expiry = 'The expiry time; absent if the key does not expire.';
const expirySample = '2027-01-01T00:00:00.000Z';

export const ApiKey = described(
  z.object({
    id: ownId(),
    name: described(z.string(), 'The name.', nameSample),
    prefix: described(z.string(), 'The first characters of the key, which identify it in lists.', 'shf_u_7Qm'),
    created_at: createdAt(),
    last_used_at: described(
      instant().optional(),
      'The time of the last use, to the minute; absent if the key was never used.',
      '2026-03-04T16:05:12.000Z',
    ),
    expires_at: described(instant().optional(), expiry, expirySample),
  }),
  'An API key of a person, without the key itself.',
);

export const ApiKeyList = described(wholeListOf(ApiKey), 'A list of API keys.');
carriedAs(ApiKeyList, { names: { data: 'api_keys' } });

export const CreatedApiKey = described(
  ApiKey.extend({ key: described(z.string(), 'The key itself. It is shown only once.', 'shf_u_7Qm…') }),
  'A new API key, with the key itself.',
);
carriedAs(CreatedApiKey, { message: 'ApiKey' });

export const ApiKeyRequest = described(
  z.object({
    name: described(trimmed(1, 100), 'The name.', nameSample),
    expires_at: described(offsetInstant().optional(), expiry, expirySample),
  }),
  'The API key to create.',
);

const path = '/app/v1/api-keys';

export const listApiKeys = operation({
  method: 'get',
  path,
  summary: 'List API keys',
  description: "Lists the caller's API keys, without the keys themselves.",
  access: 'person',
  status: 200,
  reply: ApiKeyList,
  errors: [401, 403],
  rpc: 'workspaces.ListApiKeys',
});

export const createApiKey = operation({
  method: 'post',
  path,
  summary: 'Create an API key',
  description: 'Creates an API key that acts as the caller. Only this response contains the key.',
  access: 'session',
  body: ApiKeyRequest,
  status: 201,
  reply: CreatedApiKey,
  errors: [400, 401, 403],
  rpc: 'workspaces.CreateApiKey',
});

export const revokeApiKey = operation({
  method: 'delete',
  path: `${path}/:id`,
  params: { id: pathParam('id', "The API key's id.") },
  summary: 'Revoke an API key',
  description: "Revokes one of the caller's API keys. It stops working within a second, in every process.",
  access: 'session',
  status: 204,
  errors: [401, 403, 404],
  rpc: 'workspaces.RevokeApiKey',
});
