import {
  formRoles,
  newId,
  Problem,
  workspaceRoles,
  type Client as Person,
  type FormRole,
  type User,
  type WorkspaceRole,
} from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { aServiceAccount, aUser, callAs, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { client, db, duplicate, folderIn, get, instanceId, patch, publish, putSettings, service, trash, useService } from './stage';

useService();

/** The roles of each person in two workspaces, the first of which is active. */
const memberships: readonly (readonly [WorkspaceRole?, WorkspaceRole?])[] = [
  ['owner'],
  ['admin', 'editor'],
  ['editor', 'admin'],
  ['editor', 'viewer'],
  ['viewer', 'owner'],
  [undefined, 'editor'],
  [],
];

/** The two workspaces of a run, with their people, forms and folders. */
class World {
  readonly workspaces = [newId(), newId()];
  readonly people: Person[] = [];
  readonly folders: string[] = [];
  readonly forms: string[] = [];

  constructor() {
    for (const roles of memberships) {
      const user = aUser({
        instanceId,
        workspaceId: this.workspaces[roles[0] === undefined ? 1 : 0] ?? '',
        roles: Object.fromEntries(roles.flatMap((role, at) => (role === undefined ? [] : [[this.workspaces[at] ?? '', role]]))),
        via: 'session',
      });
      service.people.set(user.id, { instanceId, name: 'Somebody', email: `${user.id}@example.org`, roles: { ...user.roles } });
      this.people.push(user);
    }
    this.people.push(aServiceAccount({ instanceId }));
    for (const workspace of this.workspaces)
      this.folders.push(folderIn(workspace, { kind: 'user', id: this.people[3]?.id ?? '' }), folderIn(workspace));
  }

  /** Ends a membership. It is given back by nobody, so every role can only become lower. */
  leave(who: number, workspace: number): void {
    const user = this.people[who];
    if (user?.kind !== 'user') return;
    const roles = Object.entries(user.roles).filter(([id]) => id !== this.workspaces[workspace]);
    this.people[who] = { ...user, roles: Object.fromEntries(roles) };
  }

  /** The roles of all people on all forms, as the service says. */
  async state(): Promise<State> {
    const rows = await rowsOf<{ id: string; workspace: string; hold: boolean }>(
      db,
      `select f.id, f.workspace_id as workspace, coalesce(k.legal_hold, false) as hold
         from form f left join form_keeping k on k.form_id = f.id where f.id = any(cast(? as uuid[]))`,
      [this.forms],
    );
    const seen = await Promise.all(
      rows.map(async ({ id, workspace, hold }) => {
        const roles = await Promise.all(this.people.map((person) => roleOn(id, person)));
        return [id, { workspace, isHeld: hold, roles }] as const;
      }),
    );
    return new Map(seen);
  }
}

interface SeenForm {
  workspace: string;
  isHeld: boolean;
  /** By the number of the person. */
  roles: (FormRole | undefined)[];
}
type State = ReadonlyMap<string, SeenForm>;

const roleOn = (id: string, person: Person): Promise<FormRole | undefined> =>
  get(id, person).then(
    ({ role }) => role as FormRole,
    () => undefined,
  );
/** Higher for more. */
const rank = (role: FormRole | undefined): number => (role === undefined ? 0 : formRoles.length - formRoles.indexOf(role));

const number = fc.nat(50);
const deed = fc.record({
  who: fc.nat(memberships.length),
  what: fc.constantFrom(...deedNames()),
  form: number,
  other: number,
  role: fc.constantFrom(...formRoles),
});
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;
type DeedName = ReturnType<typeof deedNames>[number];

function deedNames() {
  const usual = ['create', 'import', 'duplicate', 'trash', 'restore', 'erase', 'file', 'publish', 'hold', 'release', 'leave'] as const;
  // These are what gives and takes.
  return [...usual, ...(['move', 'move', 'move', 'grant', 'grant', 'grant by email', 'revoke'] as const)] as const;
}

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(list.length, 1)];

/** @returns the id of a new form */
async function act(world: World, { who, what, form: formNumber, other, role }: Deed): Promise<string | undefined> {
  const asked = world.people[who];
  if (!asked) return undefined;
  const form = at(world.forms, formNumber) ?? newId();
  const workspace = at(world.workspaces, other) ?? '';
  const folder = at(world.folders, other) ?? '';
  const person = at(world.people, other);
  const userId = person?.id ?? '';
  const document = Buffer.from(JSON.stringify({ sheaf: 'form', version: 1, title: 'Imported', fields: [], settings: {} }));
  const deeds: Record<DeedName, () => Promise<{ id?: string } | undefined> | undefined> = {
    create: () => client.createForm(callAs(asked), other % 2 === 0 ? { title: 'New' } : { title: 'New', folder_id: folder }),
    import: () =>
      client.importForm(callAs(asked), { document, workspace_id: workspace, ...(other % 2 === 0 ? {} : { folder_id: folder }) }),
    duplicate: () => duplicate(form, asked),
    move: () => client.moveForm(callAs(asked), { id: form, workspace_id: workspace }).then(() => undefined),
    grant: () => client.putGrant(callAs(asked), { form_id: form, user_id: userId, role }).then(() => undefined),
    'grant by email': () => client.addGrant(callAs(asked), { form_id: form, email: `${userId}@example.org`, role }).then(() => undefined),
    revoke: () => client.removeGrant(callAs(asked), { form_id: form, user_id: userId }).then(() => undefined),
    trash: () => trash(form, asked).then(() => undefined),
    restore: () => client.restoreForm(callAs(asked), { id: form }).then(() => undefined),
    erase: () => client.eraseForm(callAs(asked), { id: form }).then(() => undefined),
    file: () => patch(form, { folder_id: other % 5 === 0 ? null : folder }, asked).then(() => undefined),
    publish: () => publish(form, asked).then(() => undefined),
    hold: () => putSettings(form, { legal_hold: true }, asked).then(() => undefined),
    release: () => putSettings(form, { legal_hold: null }, asked).then(() => undefined),
    leave: () => {
      world.leave(other % memberships.length, formNumber % 2);
      return undefined;
    },
  };
  const made = await deeds[what]();
  return made?.id;
}

function expectNoGain(before: State, after: State, { who, form }: { who: number; form: string | undefined }): void {
  for (const [id, now] of after) {
    const then = before.get(id);
    if (!then) continue;
    const mayGive = id === form && then.roles[who] === 'owner';
    now.roles.forEach((role, person) => {
      if (!mayGive || person === who) expect(rank(role)).toBeLessThanOrEqual(rank(then.roles[person]));
    });
    if (!mayGive) expect({ workspace: now.workspace, isHeld: now.isHeld }).toEqual({ workspace: then.workspace, isHeld: then.isHeld });
    if (then.isHeld) expect(now.workspace).toBe(then.workspace);
  }
  for (const [id, then] of before) if (then.isHeld || then.roles[who] !== 'owner') expect(after.has(id)).toBe(true);
}

/** The creator of a form owns it; others have on it what they are in its workspace, of which the creator is a member. */
function expectOwnNew(world: World, { workspace, roles }: SeenForm, who: number): void {
  const fromWorkspace = (role: WorkspaceRole | undefined) => (role === 'admin' ? 'owner' : role);
  world.people.forEach((person, index) => {
    if (index === who) expect(roles[index]).toBe('owner');
    else expect(roles[index]).toBe(person.kind === 'user' ? fromWorkspace(person.roles[workspace]) : 'editor');
  });
  const creator = world.people[who] as User | { kind: 'service_account' };
  if (creator.kind === 'user') expect(workspaceRoles).toContain(creator.roles[workspace]);
}

it('no caller ends with more on a form than they, or an owner of it, gave them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 20, maxLength: 30 }), async (deeds) => {
      const world = new World();
      for (const first of [0, 2, 3])
        world.forms.push((await client.createForm(callAs(world.people[first] as User), { title: 'First' })).id);
      let before = await world.state();
      for (const each of deeds) {
        const made = await act(world, each).catch((error: unknown) => {
          if (!(error instanceof Problem) || ['internal_error', 'unavailable'].includes(error.code)) throw error;
          return undefined;
        });
        const form = at(world.forms, each.form);
        if (made !== undefined) world.forms.push(made);
        const after = await world.state();
        expectNoGain(before, after, { who: each.who, form });
        const isNew = made === undefined ? undefined : after.get(made);
        if (isNew) expectOwnNew(world, isNew, each.who);
        before = after;
      }
    }),
    { ...propertyRuns(20), endOnFailure: true },
  );
});
