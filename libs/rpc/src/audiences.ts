import type { Caller } from '@sheaf/kernel';

/** The services that answer calls, under their names in tokens. */
export const serviceNames = ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * The services that a call reaches which is made to each of them: itself, and those that it asks with the caller's token. What these could
 * ask in turn is left out: what `submissions`, `hooks` and `delivery` ask of `forms` ends there.
 */
export const reachedFrom: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  workspaces: ['workspaces'],
  forms: ['forms', 'workspaces'],
  submissions: ['submissions', 'forms'],
  hooks: ['hooks', 'forms'],
  delivery: ['delivery', 'forms'],
};

/** The services that a token for calls to a service is for. What a process asks in its own name, no service asks of another one. */
export const audienceOf = (caller: Caller, service: ServiceName): readonly ServiceName[] =>
  caller.kind === 'service' ? [service] : reachedFrom[service];
