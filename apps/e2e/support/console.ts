import { randomUUID } from 'node:crypto';
import { inBrowser, type BrowserUser, type BrowserUserOptions, type Person } from '@sheaf/testing';
import { acceptedInvitation, anyone, credentials, instanceAdmin, password, signIn } from './people';

const open = inBrowser(() => anyone.origin, { handsOn: true });

/** A person with the console open in a browser, and the same person as a client of the API. */
export interface ConsoleUser extends BrowserUser {
  person: Person;
  workspaceId: string;
  email: string;
}

/** Opens a browser without a session at a path of the console, or at another one. */
export async function asVisitor(path = '/console', options: BrowserUserOptions = {}): Promise<BrowserUser> {
  const user = await open({ ...options, isApplication: true });
  await user.open(path);
  return user;
}

/** A new person with a role in the first workspace, signed in. `path` opens that page of the console. */
export async function asConsoleMember(
  role: 'admin' | 'editor' | 'viewer',
  path?: string,
  options: BrowserUserOptions = {},
): Promise<ConsoleUser> {
  const { email, person } = await acceptedInvitation(role);
  const user = await open({ ...options, isApplication: true });
  await enter(user, email);
  if (path !== undefined) await user.open(path);
  return Object.assign(user, { person, email, workspaceId: credentials.workspace_id });
}

/**
 * A new person with a workspace of their own, in which there is nothing yet: what other tests do does not show there. They help to run the instance.
 */
export async function asConsoleOwner(path?: string, options: BrowserUserOptions = {}): Promise<ConsoleUser> {
  const { email } = await instanceAdmin();
  const person = await signIn(email, password);
  const { body } = await person.post('/app/v1/workspaces', { name: `Workspace ${randomUUID().slice(0, 8)}` });
  const { id: workspaceId } = body as { id: string };
  await person.patch('/api/v1/auth/workspace', { workspace_id: workspaceId });
  await person.patch('/app/v1/me', { default_workspace_id: workspaceId });
  const user = await open({ ...options, isApplication: true });
  await enter(user, email);
  if (path !== undefined) await user.open(path);
  return Object.assign(user, { person, email, workspaceId });
}

/** Signs the browser in without the page for it. */
async function enter({ context }: BrowserUser, email: string): Promise<void> {
  const response = await context.request.post(`${anyone.origin}/app/v1/sessions`, { data: { email, password, cookie: true } });
  if (response.status() !== 201) throw new Error(`signing in answered ${response.status()}`);
}
