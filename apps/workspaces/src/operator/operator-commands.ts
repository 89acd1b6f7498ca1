import { email, instanceRole, offsetInstant, password, scopeList, trimmed, WorkspaceCreateRequest, workspaceRole } from '@sheaf/contracts';
import { commandOutbox, ReplayOptions, ReplaySettings } from '@sheaf/events';
import { isId, newId, operatorIn, Problem, systemClock } from '@sheaf/kernel';
import { databaseCommand } from '@sheaf/postgres';
import { type JsonCommand, readConfig, readJsonInput, UsageError, whole } from '@sheaf/runtime';
import { z } from 'zod';
import { addMember } from '../members/add-member';
import { createPersonKey, revokePersonKey } from '../credentials/api-keys';
import { Config } from '../config';
import { createWorkspaceFor } from '../workspace/create-workspace';
import type { CommandDeps } from '../deps';
import { erasureOfAnyInstance, newestErasures } from '../erasures/erasures.queries';
import { shownErasure } from '../erasures/shown-erasure';
import { eraseInstance } from '../instances/erase-instance';
import { listInstanceMembers, removeInstanceMember, setInstanceRole } from '../instances/instance-members';
import { recordRestore } from '../instances/record-restore';
import { outputSecret } from './output-secret';
import * as queries from './operator.queries';
import { missingWorkspaces } from './reconcile.queries';
import { replay } from './replay';
import { erasePerson } from '../people/erase-person';
import * as people from '../people/people.queries';
import type { KeyRow } from '../rows';
import {
  createServiceAccount,
  createServiceAccountKey,
  listServiceAccounts,
  revokeServiceAccountKey,
} from '../credentials/service-accounts';
import { setPassword } from '../sessions/set-password';
import { createSignInLink, signInUrl } from '../sessions/sign-in-links';

const page = { limit: whole(1, 1_000).default(100), offset: whole(0, Number.MAX_SAFE_INTEGER).default(0) };
/** An instance is named by its id, its domain, or one of its workspaces. */
const instance = { instance: z.string().optional() };
const output = { output: z.string().min(1, 'must name a file').optional() };
/** The public origin, such as `https://forms.example.org`. With it, invitations are printed as links, otherwise as tokens. */
const baseUrl = {
  'base-url': z
    .url('must be an http or https URL')
    .regex(/^https?:/, 'must be an http or https URL')
    .optional(),
};
const expiresAt = {
  'expires-at': offsetInstant()
    .transform((text) => new Date(text))
    .optional(),
};
const scopes = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((scope) => scope.trim())
      .filter((scope) => scope !== ''),
  )
  .pipe(scopeList());

/** The operator's commands, which run outside the service. The audit log records their changes with the actor `operator`. */
export const operatorCommands: Record<string, JsonCommand> = {
  'list-instances': withDatabase(z.object(page), async (deps, wanted) => listOf(wanted, await queries.instances(deps.db, oneMore(wanted)))),

  'show-instance': withDatabase(z.object({ instance: z.string() }), async (deps, { instance: name }) => ({
    id: await oneInstance(deps, name),
  })),

  'list-instance-members': withDatabase(z.object(instance), async (deps, { instance: name }) => {
    const data = await listInstanceMembers(deps, operatorIn(await oneInstance(deps, name)));
    return { data, limit: data.length, offset: 0, more: false };
  }),
  'set-instance-member': withDatabase(
    z.object({ ...instance, email: email(), role: instanceRole() }),
    async (deps, { instance: name, email: address, role }) => {
      const { id, ...member } = await setInstanceRole(deps, byOperator(await oneInstance(deps, name)), { who: { email: address }, role });
      return { id, email: member.email, role: member.role };
    },
  ),
  'remove-instance-member': withDatabase(z.object({ ...instance, email: email() }), async (deps, { instance: name, email: address }) => {
    const person = await removeInstanceMember(deps, byOperator(await oneInstance(deps, name)), { who: { email: address } });
    return { id: person.id, email: person.email };
  }),

  'erase-person': withDatabase(z.object({ ...instance, id: z.string() }), async (deps, { instance: name, id }) => ({
    erasure_id: await erasePerson(deps, byOperator(await oneInstance(deps, name)), { id }),
  })),

  'erase-instance': withDatabase(z.object({ instance: z.string() }), async (deps, { instance: name }) =>
    eraseInstance(deps, byOperator(await oneInstance(deps, name))),
  ),

  'record-restore': withDatabase(z.object({ 'backup-at': offsetInstant() }), async (deps, { 'backup-at': backupAt }) => ({
    instances: await recordRestore(deps, new Date(backupAt)),
  })),

  /** Reads the stream at NATS_URL. */
  replay: withDatabase(ReplayOptions, async (deps, wanted) => ({
    ...(await replay(deps, readConfig(ReplaySettings, process.env), wanted)),
  })),

  /** For `reconcile`: ids of workspaces come on standard input. */
  'list-missing-workspaces': withDatabase(z.object({}), async ({ db }) => ({
    missing: await missingWorkspaces(db, await readJsonInput(z.array(z.string().refine(isId, 'must be the id of a workspace')))),
  })),

  'list-erasures': withDatabase(z.object({ ...instance, ...page }), async (deps, { instance: name, ...wanted }) => {
    const rows = await newestErasures(deps.db, await namedInstance(deps, name), oneMore(wanted));
    return listOf(wanted, rows.map(shownErasure));
  }),
  'show-erasure': withDatabase(z.object({ id: z.string() }), async ({ db }, { id }) => {
    const found = isId(id) ? await erasureOfAnyInstance(db, id) : undefined;
    if (!found) throw Problem.notFound('erasure');
    return shownErasure(found);
  }),

  'list-workspaces': withDatabase(z.object({ ...instance, ...page }), async (deps, { instance: name, ...wanted }) =>
    listOf(wanted, await queries.workspaces(deps.db, await namedInstance(deps, name), oneMore(wanted))),
  ),

  'list-users': withDatabase(z.object({ ...instance, ...page }), async (deps, { instance: name, ...wanted }) =>
    listOf(wanted, await queries.users(deps.db, await namedInstance(deps, name), oneMore(wanted))),
  ),

  'list-keys': withDatabase(
    z.object({ ...instance, user: email().optional(), ...page }),
    async (deps, { instance: name, user, ...wanted }) => {
      const instanceId = await namedInstance(deps, name);
      return listOf(wanted, await queries.keys(deps.db, { instanceId, email: user?.toLowerCase() }, oneMore(wanted)));
    },
  ),

  'list-service-accounts': withDatabase(z.object(instance), async (deps, { instance: name }) => {
    const data = await listServiceAccounts(deps, operatorIn(await oneInstance(deps, name)));
    return { data, limit: data.length, offset: 0, more: false };
  }),

  'create-workspace': withDatabase(
    WorkspaceCreateRequest.extend({ ...instance, owner: email(), 'owner-name': trimmed(1, 100).optional(), ...baseUrl, ...output }),
    async (deps, { instance: name, owner, 'owner-name': ownerName, 'base-url': origin, output: file, ...wanted }) => {
      const asked = byOperator(await oneInstance(deps, name));
      return outputSecret(file, async () => {
        const created = await createWorkspaceFor(deps, asked, { ...wanted, owner: { email: owner, name: ownerName } });
        return {
          shown: { ...created.workspace, owner: { id: created.owner.id, email: created.owner.email } },
          secret: invitation(origin, created.invitationToken),
        };
      });
    },
  ),

  'create-user': withDatabase(
    z.object({
      email: email(),
      name: trimmed(1, 100).optional(),
      workspace: z.string(),
      role: workspaceRole(),
      'password-stdin': z.boolean().default(false),
      ...baseUrl,
      ...output,
    }),
    async (deps, { workspace: workspaceName, 'password-stdin': withPassword, 'base-url': origin, output: file, ...wanted }) => {
      const workspace = await queries.workspaceNamed(deps.db, workspaceName);
      if (!workspace) throw Problem.notFound('workspace');
      const newPassword = withPassword ? await passwordFromStdin() : undefined;
      if (
        newPassword !== undefined &&
        (await people.personByEmail(deps.db, workspace.instance_id, wanted.email.toLowerCase()))?.password_hash != null
      ) {
        throw Problem.conflict('--password-stdin: the user with this address already has a password and keeps it');
      }
      return outputSecret(file, async () => {
        const asked = byOperator(workspace.instance_id);
        const {
          person,
          role,
          invitation: invited,
        } = await addMember(deps, asked, { ...wanted, name: wanted.name, workspaceId: workspace.id });
        if (newPassword !== undefined) await setPassword(deps, asked, { email: person.email, password: newPassword });
        return {
          shown: { id: person.id, email: person.email, name: person.name, workspace_id: workspace.id, role },
          // Setting the password has ended the invitation.
          secret: newPassword === undefined ? invitation(origin, invited?.token) : {},
        };
      });
    },
  ),

  'set-password': withDatabase(z.object({ ...instance, email: email() }), async (deps, { instance: instanceName, email: address }) => {
    const asked = byOperator(await oneInstance(deps, instanceName));
    const person = await setPassword(deps, asked, { email: address, password: await passwordFromStdin() });
    return { id: person.id, email: person.email };
  }),

  'create-sign-in-link': withDatabase(
    z.object({ ...instance, email: email(), ...baseUrl, ...output }),
    async (deps, { instance: instanceName, email: address, 'base-url': origin, output: file }) => {
      const asked = byOperator(await oneInstance(deps, instanceName));
      return outputSecret(file, async () => {
        const { id, email: found, token, expiresAt } = await createSignInLink(deps, asked, { email: address });
        return {
          shown: { id, email: found, expires_at: expiresAt },
          secret: origin === undefined ? { sign_in_token: token } : { sign_in_url: signInUrl(origin, token) },
        };
      });
    },
  ),

  'create-key': withDatabase(
    z.object({
      ...instance,
      user: email().optional(),
      'service-account': z.string().optional(),
      name: trimmed(1, 100).default('Created by the operator'),
      ...expiresAt,
      ...output,
    }),
    async (deps, { instance: instanceName, user, 'service-account': serviceAccountId, name, 'expires-at': until, output: file }) => {
      if ((user === undefined) === (serviceAccountId === undefined))
        throw new UsageError('--user, --service-account: give exactly one of them');
      const create =
        user === undefined
          ? await keyOfServiceAccount(deps, serviceAccountId ?? '', until)
          : await keyOfUser(deps, instanceName, user, { name, expiresAt: until });
      return outputSecret(file, async () => {
        const { row, key } = await create();
        return { shown: { ...row }, secret: { key } };
      });
    },
  ),

  'create-service-account': withDatabase(
    z.object({ ...instance, name: trimmed(1, 100), scopes, ...output }),
    async (deps, { instance: instanceName, name, scopes: granted, output: file }) => {
      const asked = byOperator(await oneInstance(deps, instanceName));
      return outputSecret(file, async () => {
        const { account, key } = await createServiceAccount(deps, asked, { name, scopes: granted });
        return { shown: { id: account.id, name, scopes: account.scopes, created_at: account.created_at }, secret: { key } };
      });
    },
  ),

  'revoke-key': withDatabase(z.object({ id: z.string() }), async (deps, { id }) => {
    const key = isId(id) ? await queries.keyById(deps.db, id) : undefined;
    if (!key) throw Problem.notFound('key');
    const asked = byOperator(key.instance_id);
    if (key.service_account_id !== null) await revokeServiceAccountKey(deps, asked, { serviceAccountId: key.service_account_id, id });
    else await revokePersonKey(deps, asked, key.person_id ?? '', id);
    return { id, owner: key.owner, prefix: key.prefix };
  }),
};

const Settings = Config.pick({ INVITATION_DAYS: true, SLUG_QUARANTINE_DAYS: true });

function withDatabase<A extends z.ZodObject>(
  options: A,
  run: (deps: CommandDeps, options: z.output<A>) => Promise<Record<string, unknown>>,
): JsonCommand {
  return databaseCommand(options, (db, input) =>
    run({ db, outbox: commandOutbox(db), clock: systemClock, settings: readConfig(Settings, process.env) }, input),
  );
}

const byOperator = (instanceId: string) => ({ caller: operatorIn(instanceId), call: { requestId: newId() } });

const oneMore = ({ limit, offset }: queries.Page): queries.Page => ({ limit: limit + 1, offset });

const listOf = <Row>({ limit, offset }: queries.Page, rows: readonly Row[]) => ({
  data: rows.slice(0, limit),
  limit,
  offset,
  more: rows.length > limit,
});

/** The named instance, or undefined for all instances. */
async function namedInstance({ db }: CommandDeps, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const id = await queries.instanceNamed(db, name);
  if (id === undefined) throw Problem.notFound('instance');
  return id;
}

/** The named instance, or the only one. */
async function oneInstance(deps: CommandDeps, name: string | undefined): Promise<string> {
  const named = await namedInstance(deps, name);
  if (named !== undefined) return named;
  const [only, other] = await queries.instances(deps.db, { limit: 2, offset: 0 });
  if (!only) throw Problem.notFound('instance');
  if (other) throw new UsageError('--instance: is required if there are several instances');
  return only.id;
}

async function keyOfUser(
  deps: CommandDeps,
  instanceName: string | undefined,
  address: string,
  wanted: { name: string; expiresAt: Date | undefined },
): Promise<() => Promise<CreatedKey>> {
  const instanceId = await oneInstance(deps, instanceName);
  const person = await people.personByEmail(deps.db, instanceId, address.toLowerCase());
  if (!person) throw Problem.notFound('user');
  return () => createPersonKey(deps, byOperator(instanceId), person.id, wanted);
}

async function keyOfServiceAccount(deps: CommandDeps, id: string, until: Date | undefined): Promise<() => Promise<CreatedKey>> {
  const instanceId = isId(id) ? await queries.instanceOfServiceAccount(deps.db, id) : undefined;
  if (instanceId === undefined) throw Problem.notFound('service account');
  return () => createServiceAccountKey(deps, byOperator(instanceId), { serviceAccountId: id, expiresAt: until });
}

/** The key itself is stored nowhere. */
interface CreatedKey {
  row: KeyRow;
  key: string;
}

const invitation = (origin: string | undefined, token: string | undefined): Record<string, unknown> => {
  if (token === undefined) return {};
  return origin === undefined ? { invitation_token: token } : { invitation_url: `${new URL(origin).origin}/invitations/${token}` };
};

/**
 * Not a command-line option, because every user of the machine can read the options of a process. A final newline is not part of the
 * password.
 */
async function passwordFromStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  const parsed = password().safeParse(text.replace(/\r?\n$/, ''));
  if (!parsed.success) throw new UsageError(`password (on standard input): ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  return parsed.data;
}
