import { json, port, whole } from '@sheaf/runtime';
import { z } from 'zod';
import { PublicJwks, SigningKey } from '../caller-token';
import { tlsSteps } from './certificates';

/** The settings of a process that calls services. */
export const callingSettings = {
  /**
   * The folder of this process's certificate (`tls.crt`), its key (`tls.key`) and the authorities that it trusts (`ca.crt`). With it, the process
   * speaks TLS to services and as a service, and both sides show certificates.
   */
  GRPC_TLS_DIR: z.string().optional(),
  /**
   * While a running system changes over to TLS: `accept` answers calls with and without it and calls without, `call` also calls with it, and
   * `require`, the default, is the end.
   */
  GRPC_TLS: z.enum(tlsSteps).optional(),
};

/** The settings of a process that requires caller tokens. */
export const verifyingSettings = {
  ...callingSettings,
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

/** The settings of a process that signs caller tokens: its private JSON Web Key, or a JSON Web Key Set whose first key signs. */
export const signingSettings = { ...callingSettings, CALLER_KEY: json(SigningKey) };
