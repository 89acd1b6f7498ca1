import { apps, type App, type Caller, type ServiceName } from '@sheaf/kernel';

/** An app that requires caller tokens. The gateway issues them and never receives one. */
export type CalledApp = Exclude<App, 'gateway'>;

/**
 * The services that each app calls. `neighboursOf` connects an app to these and to no others, doors are open to these callers, and tokens are
 * for what is called with them.
 */
export const neighbours = {
  gateway: ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'],
  workspaces: [],
  forms: ['workspaces'],
  submissions: ['forms'],
  hooks: ['forms'],
  delivery: ['hooks', 'forms', 'submissions', 'workspaces'],
  pages: ['submissions', 'forms'],
} as const satisfies Record<App, readonly ServiceName[]>;

/** A service that an app calls. */
export type Neighbour<Of extends App> = (typeof neighbours)[Of][number];

/** Neighbours that an app calls only in its own name. Its callers' tokens need not be valid there. */
const calledInOwnName: { readonly [A in CalledApp]?: readonly Neighbour<A>[] } = { delivery: ['submissions', 'workspaces'] };

/**
 * The apps that a call to an app reaches: the app itself, and those that it calls with the caller's token. Further hops are not listed, because
 * the calls from `submissions`, `hooks` and `delivery` to `forms` cause no others, and neither do those from `pages`.
 */
export function reachedFrom(app: CalledApp): readonly CalledApp[] {
  const inOwnName: readonly ServiceName[] = calledInOwnName[app] ?? [];
  return [app, ...neighbours[app].filter((service) => !inOwnName.includes(service))];
}

/** The audience of a token for calls to an app. A process's calls in its own name are not passed on, so they name only this one. */
export const audienceOf = (caller: Caller, app: CalledApp): readonly CalledApp[] => (caller.kind === 'service' ? [app] : reachedFrom(app));

/** The apps that call a service. With TLS, its door is closed to the certificates of all others. */
export const callersOf = (service: ServiceName): readonly App[] =>
  apps.filter((app) => neighbours[app].some((neighbour) => neighbour === service));
