import { randomUUID } from 'node:crypto';
import { Documented, Person, type Credentials } from '@sheaf/testing';

/** The system that tools/jest/system.cjs has started for all tests. */
export const credentials = JSON.parse(process.env.E2E_CREDENTIALS ?? '{}') as Credentials;

const { origin } = new URL(credentials.base_url);

/** Checks every response to these people against the OpenAPI document. */
export const documented = new Documented(origin);

/** A person without a credential, such as a respondent. */
export const anyone = new Person(origin, undefined, documented);

/** The owner, with the API key from the first start of the system. */
export const asOwner = anyone.with(credentials.api_key);

let signedIn: Promise<Person> | undefined;

/** The owner, signed in. */
export const asOwnerSignedIn = (): Promise<Person> => (signedIn ??= signIn(credentials.user.email, credentials.user.password));

export async function signIn(email: string, password: string): Promise<Person> {
  const { status, body } = await anyone.post('/app/v1/sessions', { email, password });
  if (status !== 201) throw new Error(`signing in answered ${status}`);
  return anyone.with((body as { token: string }).token);
}

/** Of everybody who accepted an invitation. */
export const password = 'a good long password';

/** A new member of the first workspace. */
export interface NewMember {
  userId: string;
  email: string;
  /** Signed in with the session from the acceptance. */
  person: Person;
  signIn: () => Promise<Person>;
}

export async function acceptedInvitation(role: 'admin' | 'editor' | 'viewer'): Promise<NewMember> {
  const owner = await asOwnerSignedIn();
  const email = `${role}-${randomUUID()}@example.org`;
  const added = (await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email, role })).body as {
    user_id: string;
    invitation_url: string;
  };
  const token = added.invitation_url.split('/').at(-1) ?? '';
  const accepted = await anyone.post(`/app/v1/invitations/${token}`, { name: `The ${role}`, password });
  return {
    userId: added.user_id,
    email,
    person: anyone.with((accepted.body as { token: string }).token),
    signIn: () => signIn(email, password),
  };
}

/** Invites a new member to the first workspace and signs them in. */
export const asMember = async (role: 'admin' | 'editor' | 'viewer'): Promise<Person> => (await acceptedInvitation(role)).person;

/** A new member of the first workspace who helps to run the instance, which lets them create workspaces. */
export async function instanceAdmin(role: 'admin' | 'editor' | 'viewer' = 'admin'): Promise<NewMember> {
  const member = await acceptedInvitation(role);
  const { status } = await (await asOwnerSignedIn()).put(`/app/v1/instance/members/${member.userId}`, { role: 'admin' });
  if (status !== 200) throw new Error(`making an admin of the instance answered ${status}`);
  return member;
}

/** Returns the same member with another session. */
export async function signInAgain(member: Person): Promise<Person> {
  const { email } = (await member.get('/api/v1/auth/me')).body as { email: string };
  return signIn(email, password);
}

/** Creates a service account with these scopes. */
export async function asServiceAccount(...scopes: string[]): Promise<Person & { id: string }> {
  const owner = await asOwnerSignedIn();
  const { body } = await owner.post('/app/v1/service-accounts', { name: 'Robot', scopes });
  const { id, key } = body as { id: string; key: string };
  return Object.assign(anyone.with(key), { id });
}

/** Creates a workspace in the first instance, with another owner and this member. By the API: two commands of the operator's tool start four processes. */
export async function secondWorkspace(member: { email: string; role: 'admin' | 'editor' | 'viewer' }): Promise<string> {
  const { person } = await instanceAdmin();
  const { id } = (await person.post('/app/v1/workspaces', { name: 'Second workspace' })).body as { id: string };
  const { status } = await person.post(`/app/v1/workspaces/${id}/members`, member);
  if (status !== 201) throw new Error(`adding a member answered ${status}`);
  return id;
}
