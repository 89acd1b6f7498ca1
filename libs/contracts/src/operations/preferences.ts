import { z } from 'zod';
import { described } from '../described';
import { operation } from './operation';
import { pathParam } from './params';

export const maxPreferences = 200;
const maxValueBytes = 16 * 1_024;

const preferenceKey = () =>
  z
    .string('must be a string')
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,99}$/,
      'must be 1 to 100 lower-case letters, digits, dots, underscores and hyphens, and begin with a letter or digit',
    );

/** Any JSON. */
const preferenceValue = () =>
  z
    .unknown()
    .refine((value) => value !== undefined, { error: 'is required', abort: true })
    .refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxValueBytes,
      `must have at most ${maxValueBytes} bytes of JSON`,
    );

export const PreferenceRequest = described(
  z.object({ value: described(preferenceValue(), 'Any JSON, of at most 16 KiB.', 'dark') }),
  'The value of a preference.',
);

export const Preference = described(
  z.object({ key: described(z.string(), 'The key.', 'theme'), value: described(z.unknown(), 'The value.', 'dark') }),
  'A preference of a person.',
);

export const Preferences = described(
  z.object({ data: described(z.record(z.string(), z.unknown()), 'The values by key.', { theme: 'dark' }) }),
  'The preferences of a person.',
);

const path = '/app/v1/me/preferences';
const ofPreference = {
  path: `${path}/:key`,
  params: {
    key: pathParam('key', 'The key: 1 to 100 lower-case letters, digits, dots, underscores and hyphens.', {
      shape: preferenceKey(),
      sample: 'theme',
    }),
  },
} as const;

export const getPreferences = operation({
  method: 'get',
  path,
  summary: 'Get your preferences',
  description: "Returns all of the caller's preferences, which applications use as they like.",
  access: 'person',
  status: 200,
  reply: Preferences,
  errors: [401, 403],
  rpc: 'workspaces.GetPreferences',
  composed: true,
  answer: 'PreferenceList',
});

export const setPreference = operation({
  ...ofPreference,
  method: 'put',
  summary: 'Set a preference',
  description:
    'Sets one preference of the caller: any JSON of at most 16 KiB under a key of at most 100 characters. A person has at most 200.',
  access: 'person',
  body: PreferenceRequest,
  status: 200,
  reply: Preference,
  errors: [400, 401, 403],
  rpc: 'workspaces.SetPreference',
  repeatable: true,
  composed: true,
  answer: 'SetPreferenceReply',
});

export const removePreference = operation({
  ...ofPreference,
  method: 'delete',
  summary: 'Remove a preference',
  description: 'Removes one preference of the caller.',
  access: 'person',
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'workspaces.RemovePreference',
});
