import { GrantByEmailRequest, passwordCredentials, signingIn, text } from '@sheaf/contracts';
import { id } from '@sheaf/rpc';
import { z } from 'zod';

// The shape of each method's request, under the name of the method, for those that no operation defines.

export const authenticate = z.object({ instance_id: id(), credential: z.string() });
export const resolveHost = z.object({ host: z.string() });

const origin = () => text(1, 300).optional();
export const signIn = z.object({ ...signingIn, origin: origin(), ...passwordCredentials });
export const signInWithLink = z.object({ ...signingIn, origin: origin(), token: z.string() });

/** More people than any service requests at once. */
const maxPeople = 10_000;
export const findPeople = z.object({ ids: z.array(id()).max(maxPeople, `must have at most ${maxPeople} items`) });

export const findPersonByEmail = GrantByEmailRequest.pick({ email: true });

export const getFolder = z.object({ id: id() });
