import { generateKeyPairSync } from 'node:crypto';
import {
  newId,
  scopes,
  type Caller,
  type InstanceRole,
  type Scope,
  type ServiceAccount,
  type User,
  type WorkspaceRole,
} from '@sheaf/kernel';
import { callerSigner, callerTokens, callerVerifier, PrivateJwk, PublicJwks, type Call, type SignCaller } from '@sheaf/rpc';
import { hangMs } from './eventually';

const keyOf = (kid: string) =>
  PrivateJwk.parse({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), kid });

const madeOf = () => {
  const [gateway, delivery] = [keyOf('gateway'), keyOf('delivery')];
  return {
    signAsGateway: callerSigner(gateway),
    signAsDelivery: callerSigner(delivery),
    verify: callerVerifier(PublicJwks.parse({ keys: [gateway, delivery] })),
  };
};
let made: ReturnType<typeof madeOf> | undefined;
/** Made when a test needs them: end-to-end tests, which need none, would load `rpc` and all shapes of the API for it, a quarter of a second a file. */
const keys = () => (made ??= madeOf());

/** Signs caller tokens like the gateway. */
export const signTestCaller: SignCaller = (...given) => keys().signAsGateway(...given);

/** Verifies tokens with the keys that `callAs` signs with. */
export const verifyTestCaller: ReturnType<typeof callerVerifier> = (...given) => keys().verify(...given);

/** Makes a call like the gateway, or like `delivery` for itself. The token is for the called service and the services that it calls. */
export const callAs = (caller: Caller): Call => ({
  token: callerTokens(caller.kind === 'service' && caller.id === 'delivery' ? keys().signAsDelivery : keys().signAsGateway, caller),
  requestId: newId(),
  deadline: Date.now() + hangMs,
});

/** With a session by default. */
export const aUser = (given: {
  id?: string;
  instanceId: string;
  workspaceId?: string;
  roles?: Record<string, WorkspaceRole>;
  instanceRole?: InstanceRole;
  via?: User['via'];
}): User => ({
  kind: 'user',
  id: given.id ?? newId(),
  instanceId: given.instanceId,
  ...(given.workspaceId === undefined ? {} : { workspaceId: given.workspaceId }),
  roles: given.roles ?? {},
  ...(given.instanceRole === undefined ? {} : { instanceRole: given.instanceRole }),
  via: given.via ?? 'session',
  credentialId: newId(),
});

/** Has every scope by default. */
export const aServiceAccount = (given: { id?: string; instanceId: string; scopes?: readonly Scope[] }): ServiceAccount => ({
  kind: 'service_account',
  id: given.id ?? newId(),
  instanceId: given.instanceId,
  scopes: given.scopes ?? scopes,
  credentialId: newId(),
});
