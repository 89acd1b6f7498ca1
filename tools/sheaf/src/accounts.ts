import { instanceRoles, scopes, workspaceRoles } from '@sheaf/kernel';
import { Option, type Command } from 'commander';
import type { Answer } from './app-command';
import { confirm, withConfirmation, group, leaf, column, withPaging, forwardedOptions, showList, showOne, withOutput } from './leaf';
import type { ToolContext } from './context';

const instanceHelp = 'an instance: its id, its domain, or the slug or id of one of its workspaces; optional if there is only one';
const shownOnce = 'Keep the key: it is shown only once.';

/** Commands for instances, workspaces, users, service accounts and keys: `workspaces` owns all of them. */
export function accountCommands(program: Command, context: ToolContext): void {
  const actions = actionsWith(context);
  instanceCommands(program, actions);
  workspaceCommands(program, actions);
  userCommands(program, context, actions);
  serviceAccountCommands(program, actions);
  keyCommands(program, context, actions);
}

type Actions = ReturnType<typeof actionsWith>;

/** The actions that several commands share. */
const actionsWith = (context: ToolContext) => ({
  list: (command: Command, name: string, columns: Parameters<typeof showList>[3]) =>
    command.action(async () =>
      showList(context, command, await context.runCommand('workspaces', [name, ...forwardedOptions(command)]), columns),
    ),
  create: (command: Command, name: string, note?: string) =>
    command.action(async () => {
      const answer = await context.runCommand('workspaces', [name, ...forwardedOptions(command)]);
      showOne(context, command, answer, answer.output === undefined ? note : undefined);
    }),
  invites: (command: Command, name: string) => invites(context, command, name),
});

function instanceCommands(program: Command, { list, create }: Actions): void {
  const instances = group(
    program,
    'instances',
    'the customers of this deployment, each with its own workspaces and people',
    'instances list',
  );
  list(withPaging(leaf(instances, 'list', 'lists all instances, the oldest first', 'instances list')), 'list-instances', {
    id: column('id'),
    name: column('name'),
    domain: column('custom_domain'),
    created: column('created_at'),
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
  instanceMemberCommands(instances, list, create);
}

/** The commands for those who run an instance: its service accounts, retention, audit log and so on. */
function instanceMemberCommands(instances: Command, list: Actions['list'], create: Actions['create']): void {
  const members = group(instances, 'members', 'the people who run an instance', 'instances members list');
  list(
    leaf(members, 'list', 'lists the people who run an instance, by name', 'instances members list --instance acme').option(
      '--instance <name>',
      instanceHelp,
    ),
    'list-instance-members',
    { id: column('id'), email: column('email'), name: column('name'), role: column('role'), since: column('created_at') },
  );
  create(
    leaf(
      members,
      'set',
      'gives a person of an instance a role in it, or another one',
      'instances members set --email ada@example.org --role owner',
    )
      .requiredOption('--email <address>', 'see: users list')
      .addOption(new Option('--role <role>', 'the role in the instance').choices(instanceRoles).makeOptionMandatory())
      .option('--instance <name>', instanceHelp),
    'set-instance-member',
  );
  create(
    leaf(
      members,
      'remove',
      'takes a role in the instance away; roles in workspaces stay',
      'instances members remove --email ada@example.org',
    )
      .requiredOption('--email <address>', 'see: instances members list')
      .option('--instance <name>', instanceHelp),
    'remove-instance-member',
  );
}

function workspaceCommands(program: Command, { list, invites }: Actions): void {
  const workspaces = group(program, 'workspaces', 'the workspaces of an instance', 'workspaces list');
  list(
    withPaging(leaf(workspaces, 'list', 'lists workspaces, the oldest first', 'workspaces list --instance acme')).option(
      '--instance <name>',
      instanceHelp,
    ),
    'list-workspaces',
    {
      id: column('id'),
      slug: column('slug'),
      name: column('name'),
      instance: column('instance_id'),
      created: column('created_at'),
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

function userCommands(program: Command, context: ToolContext, { list, invites }: Actions): void {
  const users = group(program, 'users', 'people and their passwords', 'users list');
  list(
    withPaging(leaf(users, 'list', 'lists people with their roles, by address', 'users list --instance acme --json')).option(
      '--instance <name>',
      instanceHelp,
    ),
    'list-users',
    {
      id: column('id'),
      email: column('email'),
      name: column('name'),
      roles: column('roles'),
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
    const answer = await context.runCommand('workspaces', ['set-password', ...forwardedOptions(setPassword)], await context.readPassword());
    showOne(context, setPassword, answer, 'The password is set; all sessions of this user have ended.');
  });
  signInLinkCommand(users, context);
}

/** The link needs the public address of the system. */
function signInLinkCommand(users: Command, context: ToolContext): void {
  const link = withOutput(
    leaf(
      users,
      'sign-in-link',
      'creates a link that signs a person in, once and within 24 hours',
      'users sign-in-link --email ada@example.org',
    ),
  )
    .requiredOption('--email <address>')
    .option('--instance <name>', instanceHelp)
    .option('--base-url <url>', 'the public address, for the link (default: the address of the running system)');
  link.action(async () => {
    const args = [...forwardedOptions(link), ...(await baseUrl(context, link))];
    const answer = await context.runCommand('workspaces', ['create-sign-in-link', ...args]);
    showOne(context, link, answer, answer.output === undefined ? signInLinkNote : undefined);
  });
}

const signInLinkNote =
  'Pass the link on. It is shown only once, and signs in whoever opens it first. Earlier links of the user have ended.';

function serviceAccountCommands(program: Command, { list, create }: Actions): void {
  const accounts = group(program, 'service-accounts', 'accounts for programs, with their own scopes', 'service-accounts list');
  list(
    leaf(accounts, 'list', 'lists the service accounts of an instance', 'service-accounts list').option('--instance <name>', instanceHelp),
    'list-service-accounts',
    {
      id: column('id'),
      name: column('name'),
      scopes: column('scopes'),
      keys: ({ keys }: Answer) => (keys as Answer[]).map(({ prefix }) => prefix),
      created: column('created_at'),
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

function keyCommands(program: Command, context: ToolContext, { list, create }: Actions): void {
  const keys = group(program, 'keys', 'the API keys of people and service accounts', 'keys list --user ada@example.org');
  list(
    withPaging(leaf(keys, 'list', 'lists valid keys, the newest first', 'keys list --user ada@example.org'))
      .option('--user <address>', 'only keys of this person')
      .option('--instance <name>', instanceHelp),
    'list-keys',
    {
      id: column('id'),
      owner: column('owner'),
      name: column('name'),
      prefix: column('prefix'),
      scopes: column('scopes'),
      'last used': column('last_used_at'),
      expires: column('expires_at'),
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
  const revoke = withConfirmation(
    leaf(keys, 'revoke', 'revokes a key permanently, with immediate effect', 'keys revoke 0197f0c2-… --yes').argument(
      '<id>',
      'see: keys list',
    ),
  );
  revoke.action(async (id: string) => {
    await confirm(context, revoke, `Revoke the key ${id} permanently?`);
    showOne(context, revoke, await context.runCommand('workspaces', ['revoke-key', `--id=${id}`]), 'The key is revoked.');
  });
}

/** For commands that may invite a person: the invitation link needs the public address of the system. */
function invites(context: ToolContext, command: Command, name: string): void {
  command.option('--base-url <url>', 'the public address, for the invitation link (default: the address of the running system)');
  command.action(async () => {
    const args = forwardedOptions(command);
    const password = command.getOptionValue('passwordStdin') === true ? await context.readPassword() : undefined;
    const answer = await context.runCommand('workspaces', [name, ...args, ...(await baseUrl(context, command))], password);
    const isInvited = (answer.invitation_url ?? answer.invitation_token) !== undefined;
    showOne(context, command, answer, isInvited ? invitationNote : undefined);
  });
}

const invitationNote = 'Pass the invitation on. It is shown only once, and anyone who has it can set the password.';

async function baseUrl(context: ToolContext, command: Command): Promise<string[]> {
  if (command.getOptionValue('baseUrl') !== undefined) return [];
  // The address of an operator's own deployment is unknown here.
  const running = await context.running().catch(() => undefined);
  return running && process.env.WORKSPACES_DATABASE_URL === undefined ? [`--base-url=${new URL(running.base_url).origin}`] : [];
}
