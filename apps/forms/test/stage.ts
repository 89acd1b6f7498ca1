import {
  newId,
  type Caller,
  type Client as Person,
  type FolderAccess,
  type FormRole,
  type Respondent,
  type User,
  type WorkspaceRole,
} from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, FormsDefinition } from '@sheaf/rpc';
import { aServiceAccount, aUser, callAs, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

export const clock = new TestClock();
export const instanceId = newId();
export const workspaceId = newId();
export let service: Service;
export let db: Database;
export let client: Client<FormsDefinition>;
export let statements: string[];

/** Runs the service during the tests of a file. */
export function useService(): void {
  beforeAll(async () => {
    service = await startService(clock);
    ({ db, client, statements } = service);
  });
  afterAll(() => service.stop());
}

export const deliverFolderDeleted = (...folderIds: string[]) => service.deliverFolderDeleted(instanceId, ...folderIds);
export const recordEvents = () => service.recordEvents();

export const member = (role: WorkspaceRole, workspace = workspaceId): User =>
  aUser({ instanceId, workspaceId: workspace, roles: { [workspace]: role } });
export const owner = member('owner');
export const editor = member('editor');
export const viewer = member('viewer');
export const outsider = aUser({ instanceId, workspaceId: newId() });
export const robot = aServiceAccount({ instanceId });
export const respondent: Respondent = { kind: 'respondent', instanceId };
export const stranger = aUser({ instanceId: newId(), workspaceId, roles: { [workspaceId]: 'owner' } });

export const create = (title?: string, as: Person = editor) => client.createForm(callAs(as), title === undefined ? {} : { title });
export const get = (id: string, as: Person = editor) => client.getForm(callAs(as), { id });
export const trash = (id: string, as: Person = owner) => client.trashForm(callAs(as), { id });
export const publish = (id: string, as: Person = editor) => client.publishForm(callAs(as), { id });
export const getDraft = (id: string, as: Person = editor) => client.getDraft(callAs(as), { id });
export const listFields = (id: string, as: Person = editor) => client.listFields(callAs(as), { id });
export const published = (form: string, as: Caller = respondent, version?: number) =>
  client.getPublishedForm(callAs(as), { form, ...(version === undefined ? {} : { version }) });
export const putSettings = (id: string, patch: unknown, as: Person = editor) =>
  client.updateFormSettings(callAs(as), { id, patch: Buffer.from(JSON.stringify(patch)) }).then(({ settings }) => json(settings));
export const getSettings = (id: string, as: Person = editor) =>
  client.getFormSettings(callAs(as), { id }).then(({ settings }) => json(settings));
export const logo = (form: string, as: Caller = respondent) => client.getLogo(callAs(as), { form });
export const access = (form_id: string, as: Person = editor) => client.getFormAccess(callAs(as), { form_id });
export const list = (filter: { status?: string; q?: string; limit?: number; offset?: number } = {}, as: Person = editor) =>
  client.listForms(callAs(as), { limit: 25, offset: 0, ...filter });
export const duplicate = (id: string, as: Person = editor) => client.duplicateForm(callAs(as), { id });
export const createIn = (folder_id: string, as: Person = editor) => client.createForm(callAs(as), { title: 'Filed', folder_id });
/** A folder of the owner, as `workspaces` returns it. */
export function folderIn(workspace = workspaceId, creator: FolderAccess['creator'] = { kind: 'user', id: owner.id }): string {
  const id = newId();
  service.folders.set(id, { instanceId, workspaceId: workspace, creator });
  return id;
}
export const grant = (form_id: string, { id }: User, role: FormRole) =>
  db('form_grant').insert({ form_id, user_id: id, role, created_at: clock.now() });

/** Sends a patch as the gateway does: null is a name without a value. */
export const patch = (id: string, changes: Record<string, unknown>, as: Person = editor) =>
  client.updateForm(callAs(as), {
    id,
    set: Object.keys(changes),
    patch: Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
  });

export const text = (key: string) => ({ key, label: key.toUpperCase(), type: 'short_text', required: false });
export const putDraft = (id: string, fields: unknown, revision = 0, as: Person = editor) =>
  client.putDraft(callAs(as), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
export const json = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;

export const later = () => clock.advance(1_000);
