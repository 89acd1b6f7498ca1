import { z } from 'zod';
import { described } from '../described';
import { instant, listOf, ownId, page } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';

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
