import { z } from 'zod';
import { described } from '../described';
import { password, pictureUrl, text, trimmed } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { AuthMe } from './workspaces';

const picture = <T extends z.ZodType>(shape: T, sample: string) => described(shape, 'The URL of a picture; may be empty.', sample);
const defaultWorkspace = <T extends z.ZodType>(shape: T) =>
  described(
    shape,
    'The workspace that API keys and new sessions act in; absent if the person belongs to no workspace.',
    '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04',
  );

export const Profile = described(
  AuthMe.extend({
    avatar_url: picture(z.string(), ''),
    default_workspace_id: defaultWorkspace(z.string().optional()),
    has_password: described(z.boolean(), 'Whether the person has a password. Without one, they were signed in by a link.', true),
  }),
  'The profile of a person.',
);

/** A new `password` requires `current_password`, unless the person has none yet. */
export const ProfileUpdateRequest = described(
  z.object({
    name: described(trimmed(1, 100).optional(), 'The name.', 'Ada Lovelace'),
    avatar_url: picture(pictureUrl().nullable().optional(), 'https://forms.example.org/ada.png'),
    default_workspace_id: defaultWorkspace(text(1, 64).optional()),
    current_password: described(
      text(1, 200).optional(),
      'The current password, required to set a new one if there is one.',
      'my previous password',
    ),
    password: described(password().optional(), 'The new password.', 'a good long password'),
  }),
  'Changes to a profile. Absent properties stay unchanged.',
);
carriedAs(ProfileUpdateRequest, { message: 'ProfilePatch' });

const path = '/app/v1/me';

export const getProfile = operation({
  method: 'get',
  path,
  summary: 'Get your profile',
  description: 'Returns the profile of the signed-in person.',
  access: 'session',
  status: 200,
  reply: Profile,
  errors: [401, 403],
  rpc: 'workspaces.GetProfile',
});

export const updateProfile = operation({
  method: 'patch',
  path,
  summary: 'Update your profile',
  description:
    'Changes the profile or the password. A new password requires the current one, unless the person has none yet, and ends all other sessions of the person.',
  access: 'session',
  patch: ProfileUpdateRequest,
  status: 200,
  reply: Profile,
  errors: [400, 401, 403, 429],
  rpc: 'workspaces.UpdateProfile',
  composed: true,
  added: z.object({ device: described(text(1, 100).optional(), "The secret that the client's browser keeps.") }),
});
