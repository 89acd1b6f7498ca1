import { instanceRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { described, leftOut } from '../described';
import { bool, instant, listOf, ownId, page, text } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { pathParam } from './params';
import { AuthMe, WorkspaceSummary } from './workspaces';

export const passwordCredentials = { email: text(1, 254), password: text(1, 200) };

export const asCookie = () =>
  described(bool().optional(), 'Whether to return the session as an `HttpOnly` cookie instead of a token. Intended for browsers.', leftOut);

/** The fields that the gateway adds where somebody signs in. */
export const signingIn = {
  instance_id: described(z.string('must be a string'), 'The instance that the host names.'),
  user_agent: described(text(0, 200).optional(), "The start of the client's User-Agent, so that people can tell their sessions apart."),
  device: described(
    text(1, 100).optional(),
    "The secret that the client's browser keeps. It is known for the account once it has signed in.",
  ),
};

/** Either `email` and `password`, or the token of a `link`. */
export const SignInRequest = described(
  z
    .object({
      email: described(passwordCredentials.email.optional(), 'The e-mail address. Required without a `link`.', 'ada@example.org'),
      password: described(passwordCredentials.password.optional(), 'The password. Required without a `link`.', 'a good long password'),
      link: described(
        text(1, 200).optional(),
        'The token of a link that the operator has made, in place of `email` and `password`. It works once.',
        leftOut,
      ),
      cookie: asCookie(),
    })
    .superRefine(({ email, password, link }, context) => {
      const given = { email, password };
      for (const name of ['email', 'password'] as const) {
        if (link === undefined && given[name] === undefined)
          context.addIssue({ code: 'custom', path: [name], message: 'is required without a link' });
        if (link !== undefined && given[name] !== undefined)
          context.addIssue({ code: 'custom', path: [name], message: 'must be absent with a link' });
      }
    }),
  "A person's credentials.",
);

export const ShownInstance = described(
  z.object({
    name: described(z.string(), 'The name.', 'Example Ltd'),
    host: described(z.string().optional(), 'Its own domain; absent if it has none.', 'forms.example.org'),
    manages: described(
      z.boolean(),
      'Whether the person manages what belongs to the whole instance: service accounts, the audit log and the keys of webhooks.',
      true,
    ),
    role: described(z.enum(instanceRoles).optional(), 'The role of the person in the instance; absent if they do not run it.', 'admin'),
  }),
  'The instance of a session, as its person sees it.',
);

export const SessionState = described(
  z.object({
    expires_at: described(instant(), 'The time at which the session ends.', '2027-01-01T00:00:00.000Z'),
    user: described(AuthMe, 'The signed-in person.'),
    workspace: described(WorkspaceSummary.optional(), 'The active workspace; absent if the person belongs to no workspace.'),
    instance: described(ShownInstance, 'The instance that the session belongs to.'),
  }),
  "A person's session.",
);
carriedAs(SessionState, { message: 'Session' });

export const SignedIn = described(
  SessionState.extend({
    token: described(
      z.string().optional(),
      "The session's token for the `Authorization` header; absent if the session was returned as a cookie.",
      'eyJhbGciOiJIUzI1NiJ9.…',
    ),
  }),
  'A new session.',
);

/** A session as its person sees it, to recognize it by. */
export const OwnSession = described(
  z.object({
    id: ownId(),
    created_at: described(instant(), 'The time of signing in.', '2026-03-02T09:30:00.000Z'),
    last_used_at: described(instant(), 'The time of the last use, to some minutes.', '2026-03-04T16:05:12.000Z'),
    expires_at: described(instant(), 'The time at which the session ends in any case.', '2027-01-01T00:00:00.000Z'),
    ends_unused_at: described(instant(), 'The time at which the session ends unless it is used before.', '2026-12-15T00:00:00.000Z'),
    current: described(z.boolean(), 'Whether this request uses it.', true),
    user_agent: described(
      z.string().optional(),
      'The first 200 characters of the `User-Agent` that signed in; absent if there was none.',
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
    ),
    address: described(z.string().optional(), 'The IP address that signed in; absent if it is not known.', '203.0.113.7'),
  }),
  'A session of the caller.',
);

export const SessionList = described(listOf(OwnSession), "A page of the caller's sessions.");
carriedAs(SessionList, { message: 'SessionPage', names: { data: 'sessions' } });

const path = '/app/v1/sessions';

export const createSession = operation({
  method: 'post',
  path,
  summary: 'Sign in',
  description:
    'Signs a person in with e-mail address and password, or with a link that the operator has made, which works once. Repeated failures are rate-limited by address and by account.',
  access: 'anyone',
  body: SignInRequest,
  status: 201,
  reply: SignedIn,
  errors: [400, 401, 403, 429],
});

const ofCurrent = { path: `${path}/current`, access: 'session' } as const;

export const getCurrentSession = operation({
  ...ofCurrent,
  method: 'get',
  summary: 'Get the current session',
  description: 'Returns the signed-in person, the active workspace, the instance, and the time at which the session ends.',
  status: 200,
  reply: SessionState,
  errors: [401, 403],
  rpc: 'workspaces.GetSession',
});

export const endCurrentSession = operation({
  ...ofCurrent,
  method: 'delete',
  summary: 'Sign out',
  description: 'Ends the session immediately, in every process, and clears its cookie.',
  status: 204,
  errors: [401, 403],
  rpc: 'workspaces.EndSession',
  composed: true,
});

export const endSession = operation({
  method: 'delete',
  path: `${path}/:id`,
  params: { id: pathParam('id', "The session's id.") },
  summary: 'End one of your sessions',
  description: "Ends one of the caller's sessions within a second, in every process.",
  access: 'session',
  status: 204,
  errors: [401, 403, 404],
  rpc: 'workspaces.EndOwnSession',
  composed: true,
});

export const listSessions = operation({
  method: 'get',
  path,
  summary: 'List your sessions',
  description: "Lists the caller's sessions that have neither ended nor expired, those used last before the others.",
  access: 'session',
  query: z.object(page),
  status: 200,
  reply: SessionList,
  errors: [400, 401, 403],
  rpc: 'workspaces.ListSessions',
});

export const endOtherSessions = operation({
  method: 'delete',
  path,
  summary: 'End all your other sessions',
  description: "Ends all of the caller's sessions but this one, within a second, in every process.",
  access: 'session',
  status: 204,
  errors: [401, 403],
  rpc: 'workspaces.EndOtherSessions',
});
