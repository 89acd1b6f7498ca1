import { Preference, PreferenceRequest, preferenceKey, Preferences, parseInput } from '@sheaf/contracts';
import { z } from 'zod';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

const base = '/app/v1/me/preferences';

/** How a person wants the application to look: columns, saved views, language, theme. */
export const preferences = ({ workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: base,
    summary: 'Get your preferences',
    access: 'person',
    status: 200,
    reply: Preferences,
    errors: [401, 403],
    handle: async ({ call }) => {
      const { preferences: all } = await workspaces.getPreferences(call, {});
      return { data: Object.fromEntries(all.map(({ key, value }) => [key, RawJson.of(value)])) };
    },
  }),
  route({
    method: 'put',
    path: `${base}/:key`,
    summary: 'Set a preference',
    access: 'person',
    body: PreferenceRequest,
    status: 200,
    reply: Preference,
    errors: [400, 401, 403],
    handle: async ({ call, params, body: { value } }) => {
      const { key } = parseInput(z.object({ key: preferenceKey() }), { key: param(params, 'key') });
      await workspaces.setPreference(call, { key, value: Buffer.from(JSON.stringify(value)) });
      return { key, value };
    },
  }),
  route({
    method: 'delete',
    path: `${base}/:key`,
    summary: 'Remove a preference',
    access: 'person',
    status: 204,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => workspaces.removePreference(call, { key: param(params, 'key') }),
  }),
];
