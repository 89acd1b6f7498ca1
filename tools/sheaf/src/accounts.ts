import { scopes, workspaceRoles } from '@sheaf/kernel';
import { Option, type Command } from 'commander';
import type { Answer } from './app-command';
import { confirm, confirmed, group, leaf, of, paged, passedOn, showList, showOne, withOutput } from './leaf';
import type { Surroundings } from './surroundings';

const instanceHelp =
  'an instance: its id, its domain, or the slug or id of one of its workspaces; need not be named where there is only one';
const shownOnce = 'Keep the key: it is shown this once.';

/** Commands for instances, workspaces, users, service accounts and keys: `workspaces` owns all of them. */
export function accountCommands(program: Command, world: Surroundings): void {
  const list = (command: Command, name: string, columns: Parameters<typeof showList>[3]) =>
    command.action(async () => showList(world, command, await world.ask('workspaces', [name, ...passedOn(command)]), columns));
  const create = (command: Command, name: string, note?: string) =>
    command.action(async () => {
      const answer = await world.ask('workspaces', [name, ...passedOn(command)]);
      showOne(world, command, answer, answer.output === undefined ? note : undefined);
    });

  const instances = group(
    program,
    'instances',
    'the customers of this deployment, each with workspaces and people of its own',
    'instances list',
  );
  list(paged(leaf(instances, 'list', 'all instances, the oldest first', 'instances list')), 'list-instances', {
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
        'a new instance with a workspace, its owner and a key',
        'instances create --slug acme --name Acme --email owner@acme.example --output acme.json',
      ),
    )
      .requiredOption('--slug <slug>', 'of its first workspace: it is found at <slug>.$SERVICE_DOMAIN')
      .requiredOption('--name <name>', 'of the instance and its first workspace')
      .requiredOption('--email <address>', 'of its owner')
      .option('--domain <host>', 'a domain of its own'),
    'create-instance',
    'Keep the password and the key: they are shown this once.',
  );

  const workspaces = group(program, 'workspaces', 'what the people of an instance work in', 'workspaces list');
  list(
    paged(leaf(workspaces, 'list', 'workspaces, the oldest first', 'workspaces list --instance acme')).option(
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
        'a new workspace and its owner, who is invited if they are new',
        'workspaces create --name Surveys --owner ada@example.org',
      ),
    )
      .requiredOption('--name <name>', 'what people see')
      .requiredOption('--owner <address>', 'of its owner, who need not be known yet')
      .option('--owner-name <name>', 'of an owner who is new')
      .option('--slug <slug>', 'of the host name; made of the name if it is not given')
      .option('--color <color>')
      .option('--instance <name>', instanceHelp),
    'create-workspace',
  );

  const users = group(program, 'users', 'people and their passwords', 'users list');
  list(
    paged(leaf(users, 'list', 'people with their roles, by address', 'users list --instance acme --json')).option(
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
        'makes somebody a member of a workspace, and invites them if they are new',
        'users create --email ada@example.org --workspace my-workspace --role editor',
      ),
    )
      .requiredOption('--email <address>')
      .requiredOption('--workspace <slug or id>')
      .addOption(new Option('--role <role>', 'in the workspace').choices(workspaceRoles).makeOptionMandatory())
      .option('--name <name>', 'of somebody new')
      .option('--password-stdin', 'instead of inviting them, give them the password that is read from standard input or asked for'),
    'create-user',
  );
  const setPassword = leaf(
    users,
    'set-password',
    'gives somebody another password, asked for or read from standard input, and ends all of their sessions',
    'users set-password --email ada@example.org',
  )
    .requiredOption('--email <address>')
    .option('--instance <name>', instanceHelp);
  setPassword.action(async () => {
    const answer = await world.ask('workspaces', ['set-password', ...passedOn(setPassword)], await world.readPassword());
    showOne(world, setPassword, answer, 'The password is set; all sessions of this user have ended.');
  });

  const accounts = group(program, 'service-accounts', 'programs that act with scopes of their own', 'service-accounts list');
  list(
    leaf(accounts, 'list', 'the service accounts of an instance', 'service-accounts list').option('--instance <name>', instanceHelp),
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
        'a new service account with its first key',
        'service-accounts create --name Export --scopes forms:read,submissions:read',
      ),
    )
      .requiredOption('--name <name>')
      .requiredOption('--scopes <scopes>', `separated by commas: ${scopes.join(', ')}`)
      .option('--instance <name>', instanceHelp),
    'create-service-account',
    shownOnce,
  );

  const keys = group(program, 'keys', 'the API keys of people and service accounts', 'keys list --user ada@example.org');
  list(
    paged(leaf(keys, 'list', 'keys that were not revoked, the newest first', 'keys list --user ada@example.org'))
      .option('--user <address>', 'only of this person')
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
        'a new key of a person, or one more of a service account',
        'keys create --user ada@example.org --name CI --output ci-key.json',
      ),
    )
      .option('--user <address>', 'the person that it acts as')
      .option('--service-account <id>', 'the service account that it acts as')
      .option('--name <name>', 'to know it by, for one of a person')
      .option('--expires-at <time>', 'an RFC 3339 date-time with an offset: 2027-01-31T00:00:00Z')
      .option('--instance <name>', instanceHelp),
    'create-key',
    shownOnce,
  );
  const revoke = confirmed(
    leaf(keys, 'revoke', 'makes a key worthless, at once and for good', 'keys revoke 0197f0c2-… --yes').argument('<id>', 'see: keys list'),
  );
  revoke.action(async (id: string) => {
    await confirm(world, revoke, `Revoke the key ${id} for good?`);
    showOne(world, revoke, await world.ask('workspaces', ['revoke-key', `--id=${id}`]), 'The key is revoked.');
  });

  /** For commands that may invite somebody: the invitation link needs the public address of the system. */
  function invites(command: Command, name: string): void {
    command.option(
      '--base-url <url>',
      'where people reach the system, for the link of the invitation (default: that of the running system)',
    );
    command.action(async () => {
      const args = passedOn(command);
      const given = command.getOptionValue('passwordStdin') === true ? await world.readPassword() : undefined;
      const answer = await world.ask('workspaces', [name, ...args, ...(await baseUrl(command))], given);
      const invited = answer.invitation_url ?? answer.invitation_token;
      showOne(
        world,
        command,
        answer,
        invited === undefined ? undefined : 'Pass the invitation on: whoever has it makes the password. It is shown this once.',
      );
    });
  }

  async function baseUrl(command: Command): Promise<string[]> {
    if (command.getOptionValue('baseUrl') !== undefined) return [];
    // The address of an operator's own deployment is not known here.
    const running = await world.running().catch(() => undefined);
    return running && process.env.WORKSPACES_DATABASE_URL === undefined ? [`--base-url=${new URL(running.base_url).origin}`] : [];
  }
}
