import { scopes, workspaceRoles } from '@sheaf/kernel';
import { Option, type Command } from 'commander';
import type { Answer } from './app-command';
import { confirm, confirmed, group, leaf, of, paged, passedOn, showList, showOne, withOutput } from './leaf';
import type { Surroundings } from './surroundings';

const instanceHelp = 'an instance: its id, its domain, or the slug or id of one of its workspaces; optional if there is only one';
const shownOnce = 'Keep the key: it is shown only once.';

/** Commands for instances, workspaces, users, service accounts and keys: `workspaces` owns all of them. */
export function accountCommands(program: Command, world: Surroundings): void {
  const actions = actionsWith(world);
  instanceCommands(program, actions);
  workspaceCommands(program, actions);
  userCommands(program, world, actions);
  serviceAccountCommands(program, actions);
  keyCommands(program, world, actions);
}

type Actions = ReturnType<typeof actionsWith>;

/** The actions that several commands share. */
const actionsWith = (world: Surroundings) => ({
  list: (command: Command, name: string, columns: Parameters<typeof showList>[3]) =>
    command.action(async () => showList(world, command, await world.ask('workspaces', [name, ...passedOn(command)]), columns)),
  create: (command: Command, name: string, note?: string) =>
    command.action(async () => {
      const answer = await world.ask('workspaces', [name, ...passedOn(command)]);
      showOne(world, command, answer, answer.output === undefined ? note : undefined);
    }),
  invites: (command: Command, name: string) => invites(world, command, name),
});

function instanceCommands(program: Command, { list, create }: Actions): void {
  const instances = group(
    program,
    'instances',
    'the customers of this deployment, each with its own workspaces and people',
    'instances list',
  );
  list(paged(leaf(instances, 'list', 'lists all instances, the oldest first', 'instances list')), 'list-instances', {
    id: of('id'),
    name: of('name'),
    domain: of('custom_domain'),
    created: of('created_at'),
  });
  create(
    withOutput(
      leaf(
        instances,
        'create',
        'creates an instance with a workspace, its owner and an API key',
        'instances create --slug acme --name Acme --email owner@acme.example --output acme.json',
      ),
    )
      .requiredOption('--slug <slug>', 'the slug of its first workspace, which is served at <slug>.$SERVICE_DOMAIN')
      .requiredOption('--name <name>', 'the name of the instance and its first workspace')
      .requiredOption('--email <address>', 'the address of its owner')
      .option('--domain <host>', 'a custom domain'),
    'create-instance',
    'Keep the password and the key: they are shown only once.',
  );
}

function workspaceCommands(program: Command, { list, invites }: Actions): void {
  const workspaces = group(program, 'workspaces', 'the workspaces of an instance', 'workspaces list');
  list(
    paged(leaf(workspaces, 'list', 'lists workspaces, the oldest first', 'workspaces list --instance acme')).option(
      '--instance <name>',
      instanceHelp,
    ),
    'list-workspaces',
    {
      id: of('id'),
      slug: of('slug'),
      name: of('name'),
      instance: of('instance_id'),
      created: of('created_at'),
    },
  );
  invites(
    withOutput(
      leaf(
        workspaces,
        'create',
        'creates a workspace with an owner, who is invited if they are new',
        'workspaces create --name Surveys --owner ada@example.org',
      ),
    )
      .requiredOption('--name <name>', 'the name that people see')
      .requiredOption('--owner <address>', 'the address of its owner, an existing or a new user')
      .option('--owner-name <name>', 'the name of a new owner')
      .option('--slug <slug>', 'the slug for the host name (default: derived from the name)')
      .option('--color <color>')
      .option('--instance <name>', instanceHelp),
    'create-workspace',
  );
}

function userCommands(program: Command, world: Surroundings, { list, invites }: Actions): void {
  const users = group(program, 'users', 'people and their passwords', 'users list');
  list(
    paged(leaf(users, 'list', 'lists people with their roles, by address', 'users list --instance acme --json')).option(
      '--instance <name>',
      instanceHelp,
    ),
    'list-users',
    {
      id: of('id'),
      email: of('email'),
      name: of('name'),
      roles: of('roles'),
      'has a password': (row: Answer) => (row.has_password === true ? 'yes' : 'no'),
    },
  );
  invites(
    withOutput(
      leaf(
        users,
        'create',
        'adds a person to a workspace, and invites them if they are new',
        'users create --email ada@example.org --workspace my-workspace --role editor',
      ),
    )
      .requiredOption('--email <address>')
      .requiredOption('--workspace <slug or id>')
      .addOption(new Option('--role <role>', 'the role in the workspace').choices(workspaceRoles).makeOptionMandatory())
      .option('--name <name>', 'the name of a new user')
      .option('--password-stdin', 'set the password from standard input or a prompt instead of inviting them'),
    'create-user',
  );
  const setPassword = leaf(
    users,
    'set-password',
    'sets a new password from a prompt or standard input, and ends all sessions of the user',
    'users set-password --email ada@example.org',
  )
    .requiredOption('--email <address>')
    .option('--instance <name>', instanceHelp);
  setPassword.action(async () => {
    const answer = await world.ask('workspaces', ['set-password', ...passedOn(setPassword)], await world.readPassword());
    showOne(world, setPassword, answer, 'The password is set; all sessions of this user have ended.');
  });
}

function serviceAccountCommands(program: Command, { list, create }: Actions): void {
  const accounts = group(program, 'service-accounts', 'accounts for programs, with their own scopes', 'service-accounts list');
  list(
    leaf(accounts, 'list', 'lists the service accounts of an instance', 'service-accounts list').option('--instance <name>', instanceHelp),
    'list-service-accounts',
    {
      id: of('id'),
      name: of('name'),
      scopes: of('scopes'),
      keys: ({ keys }: Answer) => (keys as Answer[]).map(({ prefix }) => prefix),
      created: of('created_at'),
    },
  );
  create(
    withOutput(
      leaf(
        accounts,
        'create',
        'creates a service account with its first key',
        'service-accounts create --name Export --scopes forms:read,submissions:read',
      ),
    )
      .requiredOption('--name <name>')
      .requiredOption('--scopes <scopes>', `comma-separated: ${scopes.join(', ')}`)
      .option('--instance <name>', instanceHelp),
    'create-service-account',
    shownOnce,
  );
}

function keyCommands(program: Command, world: Surroundings, { list, create }: Actions): void {
  const keys = group(program, 'keys', 'the API keys of people and service accounts', 'keys list --user ada@example.org');
  list(
    paged(leaf(keys, 'list', 'lists valid keys, the newest first', 'keys list --user ada@example.org'))
      .option('--user <address>', 'only keys of this person')
      .option('--instance <name>', instanceHelp),
    'list-keys',
    {
      id: of('id'),
      owner: of('owner'),
      name: of('name'),
      prefix: of('prefix'),
      scopes: of('scopes'),
      'last used': of('last_used_at'),
      expires: of('expires_at'),
    },
  );
  create(
    withOutput(
      leaf(
        keys,
        'create',
        'creates a key for a person, or another key for a service account',
        'keys create --user ada@example.org --name CI --output ci-key.json',
      ),
    )
      .option('--user <address>', 'the person that the key acts as')
      .option('--service-account <id>', 'the service account that the key acts as')
      .option('--name <name>', 'a name for the key of a person')
      .option('--expires-at <time>', 'an RFC 3339 date-time with an offset: 2027-01-31T00:00:00Z')
      .option('--instance <name>', instanceHelp),
    'create-key',
    shownOnce,
  );
  const revoke = confirmed(
    leaf(keys, 'revoke', 'revokes a key permanently, with immediate effect', 'keys revoke 0197f0c2-… --yes').argument(
      '<id>',
      'see: keys list',
    ),
  );
  revoke.action(async (id: string) => {
    await confirm(world, revoke, `Revoke the key ${id} permanently?`);
    showOne(world, revoke, await world.ask('workspaces', ['revoke-key', `--id=${id}`]), 'The key is revoked.');
  });
}

/** For commands that may invite a person: the invitation link needs the public address of the system. */
function invites(world: Surroundings, command: Command, name: string): void {
  command.option('--base-url <url>', 'the public address, for the invitation link (default: the address of the running system)');
  command.action(async () => {
    const args = passedOn(command);
    const password = command.getOptionValue('passwordStdin') === true ? await world.readPassword() : undefined;
    const answer = await world.ask('workspaces', [name, ...args, ...(await baseUrl(world, command))], password);
    const isInvited = (answer.invitation_url ?? answer.invitation_token) !== undefined;
    showOne(world, command, answer, isInvited ? invitationNote : undefined);
  });
}

const invitationNote = 'Pass the invitation on. It is shown only once, and anyone who has it can set the password.';

async function baseUrl(world: Surroundings, command: Command): Promise<string[]> {
  if (command.getOptionValue('baseUrl') !== undefined) return [];
  // The address of an operator's own deployment is unknown here.
  const running = await world.running().catch(() => undefined);
  return running && process.env.WORKSPACES_DATABASE_URL === undefined ? [`--base-url=${new URL(running.base_url).origin}`] : [];
}
