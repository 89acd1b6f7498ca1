import type { App, Caller, ServiceName } from '@sheaf/kernel';

/** An app that requires caller tokens. The gateway issues them and never receives one. */
export type CalledApp = Exclude<App, 'gateway'>;

/**
 * For each app, the apps that a call to it reaches: the app itself, and those that it calls with the caller's token. Further hops are not
 * listed, because the calls from `submissions`, `hooks` and `delivery` to `forms` cause no others, and neither do those from `pages`.
 */
export const reachedFrom: Readonly<Record<CalledApp, readonly CalledApp[]>> = {
  workspaces: ['workspaces'],
  forms: ['forms', 'workspaces'],
  submissions: ['submissions', 'forms'],
  hooks: ['hooks', 'forms'],
  delivery: ['delivery', 'hooks', 'forms'],
  pages: ['pages', 'submissions', 'forms'],
};

/** The audience of a token for calls to an app. A process's calls in its own name are not passed on, so they name only this one. */
export const audienceOf = (caller: Caller, app: CalledApp): readonly CalledApp[] => (caller.kind === 'service' ? [app] : reachedFrom[app]);

/** For each service, the apps that call it. With TLS, its door is closed to the certificates of all others. */
export const callersOf: Readonly<Record<ServiceName, readonly App[]>> = {
  workspaces: ['gateway', 'forms', 'delivery'],
  forms: ['gateway', 'submissions', 'hooks', 'delivery', 'pages'],
  submissions: ['gateway', 'delivery', 'pages'],
  hooks: ['gateway', 'delivery'],
  delivery: ['gateway'],
};
