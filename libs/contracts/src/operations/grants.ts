import { formRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { described } from '../described';
import { createdAt, email, oneOf, wholeListOf } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId, userId } from './params';

const role = ['The role: owner, editor, viewer and, in workspaces, admin. Treat an unknown value as no access.', 'editor'] as const;
const address = ['The e-mail address.', 'ada@example.org'] as const;

/** A person's role on one form. `name` and `email` are absent once the person belongs to no workspace of the instance. */
export const FormGrant = described(
  z.object({
    user_id: described(z.string(), "The person's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05'),
    role: described(z.string(), ...role),
    created_at: createdAt(),
    name: described(z.string().optional(), 'The name.', 'Ada Lovelace'),
    email: described(z.string().optional(), ...address),
  }),
  "A person's role on one form.",
);
carriedAs(FormGrant, { message: 'Grant' });

export const FormGrantList = described(wholeListOf(FormGrant), 'A list of grants.');
carriedAs(FormGrantList, { message: 'GrantList', names: { data: 'grants' } });

export const GrantRequest = described(z.object({ role: described(oneOf(formRoles), ...role) }), 'The role to assign.');

export const GrantByEmailRequest = described(
  GrantRequest.extend({ email: described(email(), ...address) }),
  'The person, by their address, and the role to assign.',
);

const path = '/app/v1/forms/:id/grants';
const params = { id: formId };
const ofGrant = { path: `${path}/:userId`, params: { ...params, userId } } as const;

export const listFormGrants = operation({
  method: 'get',
  path,
  params,
  summary: 'List the grants of a form',
  description: 'Lists the people who have a grant on this form. For owners and editors.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormGrantList,
  errors: [401, 403, 404],
  rpc: 'forms.ListGrants',
});

export const addFormGrant = operation({
  method: 'post',
  path,
  params,
  summary: 'Grant a role on a form to a person by their address',
  description:
    'Grants a person of the instance, named by their e-mail address, a role on this form, or changes it. They may be in another workspace. An address that nobody in the instance has is 400. For owners; making another owner requires a session, not a key.',
  access: { scope: 'forms:write' },
  body: GrantByEmailRequest,
  status: 200,
  reply: FormGrant,
  errors: [400, 401, 403, 404],
  rpc: 'forms.AddGrant',
});

export const setFormGrant = operation({
  ...ofGrant,
  method: 'put',
  summary: 'Grant a role on a form',
  description:
    'Grants a person of the instance a role on this form, or changes it. For owners; making another owner requires a session, not a key.',
  access: { scope: 'forms:write' },
  body: GrantRequest,
  status: 200,
  reply: FormGrant,
  errors: [400, 401, 403, 404],
  rpc: 'forms.PutGrant',
});

export const revokeFormGrant = operation({
  ...ofGrant,
  method: 'delete',
  summary: 'Revoke a role on a form',
  description: "Revokes a person's grant on this form. For owners.",
  access: { scope: 'forms:write' },
  status: 204,
  errors: [400, 401, 403, 404],
  rpc: 'forms.RemoveGrant',
});
