import {
  auditActions,
  AuditLogQuery,
  GrantByEmailRequest,
  InvitationRequest,
  MemberRequest,
  oneOf,
  passwordCredentials,
  preferenceKey,
  preferenceValue,
  ProfileEraseRequest,
  text,
  WorkspaceCreateRequest,
  WorkspaceUpdateRequest,
} from '@sheaf/contracts';
import { cursorPageNumbers, id, jsonBytes, nothing, pageNumbers, patchOf } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method.

export const authenticate = z.object({ instance_id: id(), credential: z.string() });
export const resolveHost = z.object({ host: z.string() });

const userAgent = () => text(0, 200).optional();
const device = () => text(1, 100).optional();
const origin = () => text(1, 300).optional();
export const signIn = z.object({ instance_id: id(), user_agent: userAgent(), device: device(), origin: origin(), ...passwordCredentials });
export const signInWithLink = z.object({
  instance_id: id(),
  user_agent: userAgent(),
  device: device(),
  origin: origin(),
  token: z.string(),
});
export const acceptInvitation = InvitationRequest.omit({ cookie: true }).extend({
  instance_id: id(),
  user_agent: userAgent(),
  device: device(),
  token: z.string(),
});
export const getSession = nothing;
export const endSession = nothing;
export const endOwnSession = z.object({ id: id() });

export const eraseProfile = ProfileEraseRequest;
export const erasePerson = z.object({ id: id() });

export const getPreferences = nothing;
/** The value arrives as the bytes of its JSON. */
export const setPreference = z.object({ key: preferenceKey(), value: jsonBytes().pipe(preferenceValue()) });
export const removePreference = z.object({ key: preferenceKey() });

export const createWorkspace = WorkspaceCreateRequest;
export const updateWorkspace = z.object({ id: id() }).and(patchOf(WorkspaceUpdateRequest));
export const eraseWorkspace = z.object({ id: id() });

export const addMember = MemberRequest.extend({ workspace_id: id() });
export const getInvitation = z.object({ instance_id: id(), token: z.string() });
export const listInvitations = z.object({ workspace_id: id() });
export const renewInvitationLink = z.object({ workspace_id: id(), id: id() });
export const revokeInvitation = renewInvitationLink;

/** More people than any service requests at once. */
const maxPeople = 10_000;
export const findPeople = z.object({ ids: z.array(id()).max(maxPeople, `must have at most ${maxPeople} items`) });

export const findPersonByEmail = GrantByEmailRequest.pick({ email: true });

export const getFolder = z.object({ id: id() });

export const listAuditLog = AuditLogQuery.extend({
  ...pageNumbers,
  action: oneOf(auditActions).optional(),
  actions: z.array(oneOf(auditActions)).max(100, 'must have at most 100 items'),
});

export const listErasures = z.object(cursorPageNumbers);
export const getErasure = z.object({ id: id() });
