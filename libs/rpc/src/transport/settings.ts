import { json, port, whole } from '@sheaf/runtime';
import { PublicJwks, SigningKey } from '../caller-token';

/** The setting of a process that requires caller tokens. */
export const verifyingSettings = {
  /** The public keys of all token issuers, as a JSON Web Key Set; `kid` is the name of the process, which several keys may share. */
  CALLER_KEYS: json(PublicJwks),
};

/** The settings of a process that answers calls. */
export const servingSettings = {
  ...verifyingSettings,
  GRPC_PORT: port().default(50_051),
  /** The maximum age of a connection; closing old ones gives new copies of a service their share of calls. */
  GRPC_MAX_CONNECTION_AGE_MS: whole(1_000, 86_400_000).default(300_000),
};

/** The setting of a process that signs caller tokens: its private JSON Web Key, or a JSON Web Key Set whose first key signs. */
export const signingSettings = { CALLER_KEY: json(SigningKey) };
