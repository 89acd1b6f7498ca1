import { getPreferences, setPreference } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';

const request = asking(setPreference);

/** How a person wants the application to look: columns, saved views, language, theme. */
export const preferences = ({ workspaces }: Services): Route[] => [
  route({
    ...rowOf(getPreferences),
    handle: async ({ call }) => {
      const { preferences: all } = await workspaces.getPreferences(call, {});
      return { data: Object.fromEntries(all.map(({ key, value }) => [key, RawJson.of(value)])) };
    },
  }),
  route({
    ...rowOf(setPreference),
    handle: async ({ call, params, body }) => {
      await workspaces.setPreference(call, request({ params, body }));
      return { key: param(params, 'key'), ...body };
    },
  }),
];
