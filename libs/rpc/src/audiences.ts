import type { Caller, ServiceName } from '@sheaf/kernel';

/**
 * For each service, the services that a call to it reaches: the service itself, and those that it calls with the caller's token. Further
 * hops are not listed, because the calls from `submissions`, `hooks` and `delivery` to `forms` cause no others.
 */
export const reachedFrom: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  workspaces: ['workspaces'],
  forms: ['forms', 'workspaces'],
  submissions: ['submissions', 'forms'],
  hooks: ['hooks', 'forms'],
  delivery: ['delivery', 'forms'],
};

/** The audience of a token for calls to a service. A process's calls in its own name are not passed on, so they name only this one. */
export const audienceOf = (caller: Caller, service: ServiceName): readonly ServiceName[] =>
  caller.kind === 'service' ? [service] : reachedFrom[service];
