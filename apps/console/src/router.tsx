import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { queryClient } from './api/query-client';
import type { Kind } from './builder/model/kinds';
import { formQuery } from './form/form';
import { returnPath } from './session/return-path';
import { sessionQuery } from './session/session';
import { SignInPage } from './session/sign-in-page';
import { NotFoundPage, RouteProblem } from './shell/failure-pages';
import { Shell } from './shell/shell';
import { withWords } from './shell/with-words';

/**
 * The values in an address, as texts; lists and objects count as absent. Each screen reads its own. A name that is left out would keep what
 * the address has, as the router adds what is validated to what is not.
 */
const texts = (search: Record<string, unknown>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(search).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined,
    ]),
  );

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: RouteProblem });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/console/sign-in',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({ to: returnPath(to) }),
  component: SignInPage,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$token',
  component: lazyRouteComponent(
    withWords(['invitation'], () => import('./session/invitation-page')),
    'InvitationPage',
  ),
});

/** Everything behind the sign-in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.query({ ...sessionQuery, staleTime: 'static' });
    if (session === null) throw redirect({ to: '/console/sign-in', search: { to: location.href }, replace: true });
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => shell,
  path: '/console',
  beforeLoad: () => {
    throw redirect({ to: '/console/forms', replace: true });
  },
});

const forms = createRoute({
  getParentRoute: () => shell,
  path: '/console/forms',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['forms', 'form'], () => import('./forms/forms-page')),
    'FormsPage',
  ),
});

const newForm = createRoute({
  getParentRoute: () => shell,
  path: '/console/forms/new',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['forms', 'builder'], () => import('./forms/new-form-page')),
    'NewFormPage',
  ),
});

const form = createRoute({
  getParentRoute: () => shell,
  path: '/console/forms/$form',
  loader: ({ params }) => queryClient.query({ ...formQuery(params.form), staleTime: 'static' }),
  component: lazyRouteComponent(
    withWords(['form'], () => import('./form/form-frame')),
    'FormFrame',
  ),
});

const formHome = createRoute({
  getParentRoute: () => form,
  path: '/',
  beforeLoad: async ({ params }) => {
    const { current_version: version } = await queryClient.query({ ...formQuery(params.form), staleTime: 'static' });
    throw redirect({ to: version === 0 ? '/console/forms/$form/build' : '/console/forms/$form/submissions', params, replace: true });
  },
});

const build = createRoute({
  getParentRoute: () => form,
  path: 'build',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['builder'], () => import('./builder/build-page')),
    'BuildPage',
  ),
});

const versions = createRoute({
  getParentRoute: () => form,
  path: 'versions',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['builder'], () => import('./builder/versions-page')),
    'VersionsPage',
  ),
});

const submissions = createRoute({
  getParentRoute: () => form,
  path: 'submissions',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['submissions', 'deliveries', 'form'], () => import('./submissions/submissions-page')),
    'SubmissionsPage',
  ),
});

const insights = createRoute({
  getParentRoute: () => form,
  path: 'insights',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['insights', 'form'], () => import('./insights/insights-page')),
    'InsightsPage',
  ),
});

const share = createRoute({
  getParentRoute: () => form,
  path: 'share',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['share', 'formSettings'], () => import('./share/share-page')),
    'SharePage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => form,
  path: 'webhooks',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['webhooks', 'deliveries'], () => import('./webhooks/webhooks-page')),
    'WebhooksPage',
  ),
});

const formSettings = createRoute({
  getParentRoute: () => form,
  path: 'settings',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['formSettings', 'retention'], () => import('./form/form-settings-page')),
    'FormSettingsPage',
  ),
});

/** Workspace and instance. `section` is the part of the page: members, invitations, service accounts, … */
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/console/settings/{-$section}',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['settings', 'keys', 'retention', 'webhooks', 'deliveries'], () => import('./settings/settings-page')),
    'SettingsPage',
  ),
});

const auditLog = createRoute({
  getParentRoute: () => shell,
  path: '/console/audit-log',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['auditLog', 'settings'], () => import('./settings/audit-log-page')),
    'AuditLogPage',
  ),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/console/account/{-$section}',
  validateSearch: texts,
  component: lazyRouteComponent(
    withWords(['account', 'keys'], () => import('./account/account-page')),
    'AccountPage',
  ),
});

const ofForm = [formHome, build, versions, submissions, insights, share, webhooks, formSettings];
const routeTree = root.addChildren([
  signIn,
  invitation,
  shell.addChildren([home, forms, newForm, form.addChildren(ofForm), settings, auditLog, account]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 200,
  defaultErrorComponent: RouteProblem,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the form of the page was just made: then the focus goes to its title. */
    isNewForm?: boolean;
    /** The type of the first field of a form that was just made: the builder adds it. */
    firstField?: Kind;
    /** Whether a new form was begun on the tour. */
    isFirstForm?: boolean;
    /** The switch of workspaces that led here. */
    entering?: number;
  }
  interface Register {
    router: typeof router;
  }
}
