import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { services } from '@sheaf/kernel';
import type { Answer } from './app-command';
import { Failure } from './failure';
import { runTool } from './program';
import { namedUrl } from './state';
import { tailAttempts } from './tail-attempts';
import type { ToolContext } from './context';

interface Call {
  app: string;
  args: readonly string[];
  stdin?: string | undefined;
}

/** The tool with a stubbed context, which records the calls and returns these answers. */
function stubbedTool(
  stubs: {
    answer?: Answer | ((call: Call) => Answer);
    interruption?: AbortSignal;
    /** Of the API. */
    url?: string;
    agrees?: boolean;
    health?: Record<string, string>;
    pages?: Record<string, { status: number; body: string }>;
  } = {},
) {
  const calls: Call[] = [];
  const printed: string[] = [];
  const errors: string[] = [];
  const context: ToolContext = {
    version: '1.2.3',
    dataDir: '/nowhere',
    runCommand: (app, args, stdin) => {
      const call = { app, args, stdin };
      calls.push(call);
      const { answer = {} } = stubs;
      return Promise.resolve().then(() => (typeof answer === 'function' ? answer(call) : answer));
    },
    migrate: (app) => Promise.resolve(void calls.push({ app, args: ['migrate'] })),
    account: () => Promise.resolve({ url: stubs.url ?? '', key: 'shf_secret' }),
    running: () =>
      stubs.health
        ? Promise.resolve({ base_url: 'http://localhost:8080/api/v1', health: stubs.health, nats_url: '', databases: {} as never })
        : Promise.reject(new Failure('not_found', 'No system is running.')),
    readPassword: () => Promise.resolve('correct horse battery\n'),
    confirm: () =>
      stubs.agrees === undefined ? Promise.reject(new Failure('bad_request', '--yes: is required', 2)) : Promise.resolve(stubs.agrees),
    fetchText: (url) => {
      const page = stubs.pages?.[url];
      return page ? Promise.resolve(page) : Promise.reject(new Error('refused'));
    },
    interruption: () => stubs.interruption ?? new AbortController().signal,
    hasColours: false,
    print: (line) => void printed.push(line),
    printError: (line) => void errors.push(line),
  };
  return { calls, printed, errors, context, run: (...args: string[]) => runTool(args, context) };
}

it('passes options on unchanged, even values that begin with a dash, but not its own options', async () => {
  const { run, calls } = stubbedTool({ answer: { id: '1', key: 'shf_u_x' } });
  expect(await run('keys', 'create', '--user', 'ada@example.org', '--name=-x', '--json')).toBe(0);
  expect(calls).toEqual([{ app: 'workspaces', args: ['create-key', '--user=ada@example.org', '--name=-x'], stdin: undefined }]);
});

it('shows why each attempt of a delivery failed, and what its subscriber answered', async () => {
  const response = { content_type: 'text/plain', body: 'Moved.', truncated: true, location: 'https://example.org/new' };
  const attempts = [
    { number: 1, error: 'tls', code: 'CERT_HAS_EXPIRED', response: null },
    { number: 2, status: 301, error: 'status', code: null, response },
    { number: 3, status: 200 },
  ];
  const { run, printed } = stubbedTool({ answer: { id: '1', attempts, body: '{}' } });
  expect(await run('deliveries', 'show', '1')).toBe(0);
  expect(printed).toEqual([
    expect.stringContaining('1'),
    expect.stringMatching(/tls +│ CERT_HAS_EXPIRED/),
    'Answer to attempt 2: text/plain, redirects to https://example.org/new, only the beginning\nMoved.',
    '{}',
  ]);
});

it('passes a password on standard input and never as an argument', async () => {
  const { run, calls } = stubbedTool();
  expect(await run('users', 'set-password', '--email', 'ada@example.org')).toBe(0);
  expect(calls).toEqual([{ app: 'workspaces', args: ['set-password', '--email=ada@example.org'], stdin: 'correct horse battery\n' }]);
});

it('passes on the public address of the running system, so that an invitation is a link', async () => {
  const { run, calls } = stubbedTool({ health: {}, answer: { invitation_url: 'http://localhost:8080/invitations/x' } });
  await run('users', 'create', '--email', 'ada@example.org', '--workspace', 'main', '--role', 'editor');
  expect(calls[0]?.args).toContain('--base-url=http://localhost:8080');
});

it.each([
  [['nonsense'], 'unknown command'],
  [['users', 'nonsense'], 'unknown command'],
  [['users', 'list', '--nonsense'], "unknown option '--nonsense'"],
  [['users', 'create', '--email', 'a@b.example'], "required option '--workspace"],
  [['users', 'create', '--email', 'a@b.example', '--workspace', 'x', '--role', 'boss'], 'Allowed choices are owner, admin, editor, viewer'],
  [['keys', 'revoke'], "missing required argument 'id'"],
  [['keys', 'revoke', '1'], '--yes: is required'],
  [['deliveries', 'redeliver', '--yes'], '--from, --to: are required'],
  [['deliveries', 'redeliver', '--state', 'pending'], 'Allowed choices are succeeded, failed, cancelled, skipped'],
  [['health', '--url', 'nonsense'], '--url: must have the form name=url'],
])('rejects %j as wrong usage and says why', async (args, message) => {
  const { run, calls, errors } = stubbedTool();
  expect(await run(...args)).toBe(2);
  expect(errors.join('\n')).toContain(message);
  expect(calls).toEqual([]);
});

it('prints the help after an unknown option', async () => {
  const { run, errors } = stubbedTool();
  await run('keys', 'list', '--nonsense');
  expect(errors.join('\n')).toContain('--user <address>');
});

it('prints the version of Sheaf', async () => {
  const { run, printed } = stubbedTool();
  expect(await run('--version')).toBe(0);
  expect(printed).toEqual(['1.2.3']);
});

it.each([[[]], [['users']]])('prints the help without a command, as in %j', async (args) => {
  const { run, errors } = stubbedTool();
  expect(await run(...args)).toBe(2);
  expect(errors.join('\n')).toContain('Usage: sheaf');
});

const every = [
  '',
  'instances',
  'instances list',
  'instances create',
  'instances members',
  'instances members list',
  'instances members set',
  'instances members remove',
  'instances erase',
  'instances retention',
  'workspaces',
  'workspaces list',
  'workspaces create',
  'users',
  'users list',
  'users create',
  'users set-password',
  'service-accounts',
  'service-accounts list',
  'service-accounts create',
  'keys',
  'keys list',
  'keys create',
  'keys revoke',
  'deliveries',
  'deliveries list',
  'deliveries show',
  'deliveries redeliver',
  'forms',
  'forms erase',
  'forms keeping',
  'submissions',
  'submissions erase',
  'people',
  'people erase',
  'erasures',
  'erasures list',
  'erasures show',
  'insights',
  'insights recount',
  'health',
  'versions',
  'migrate',
];
it.each(every)('“%s --help” describes the command with an example', async (name) => {
  const { run, printed } = stubbedTool();
  expect(await run(...name.split(' ').filter((word) => word !== ''), '--help')).toBe(0);
  expect(printed.join('\n')).toMatch(/Example:\n {2}npm run sheaf -- /);
});

it('does nothing irreversible without confirmation', async () => {
  const refusing = stubbedTool({ agrees: false });
  expect(await refusing.run('keys', 'revoke', '1')).toBe(1);
  expect(refusing.calls).toEqual([]);

  const agreeing = stubbedTool({ agrees: true });
  expect(await agreeing.run('keys', 'revoke', '1')).toBe(0);
  expect(agreeing.calls).toMatchObject([{ args: ['revoke-key', '--id=1'] }]);
});

it('shows a list as a table, and the offset of the next page', async () => {
  const { run, printed } = stubbedTool({
    answer: { data: [{ id: '1', name: 'A\u001b[31m', custom_domain: null, created_at: 'now' }], limit: 1, offset: 2, more: true },
  });
  await run('instances', 'list', '--limit', '1', '--offset', '2');
  expect(printed.join('\n')).toContain('│ 1  │ A�[31m │');
  expect(printed.at(-1)).toBe('There are more: --offset 3');
});

it('prints one line of JSON with --json, even for a failure', async () => {
  const listing = stubbedTool({ answer: { data: [], limit: 100, offset: 0, more: false } });
  await listing.run('users', 'list', '--json');
  expect(listing.printed.map((line) => JSON.parse(line) as unknown)).toEqual([{ data: [], limit: 100, offset: 0, more: false }]);

  const failing = stubbedTool();
  expect(await failing.run('health', '--json')).toBe(1);
  expect(failing.errors.map((line) => JSON.parse(line) as unknown)).toEqual([
    { error: { code: 'not_found', message: 'No system is running.' } },
  ]);
});

it('migrates the database of each service, and shows what is applied', async () => {
  const { run, calls, printed } = stubbedTool({ answer: ({ app }) => ({ app, migrations: { applied: ['a', 'b'], pending: [] } }) });
  expect(await run('migrate')).toBe(0);
  const commandsOf = (app: string) => calls.filter((call) => call.app === app).map(({ args }) => args);
  for (const service of services) expect(commandsOf(service)).toEqual([['migrate'], ['version']]);
  expect(printed.join('\n')).toMatch(/delivery +│ 2/);
});

it('lists what is not ready, and fails', async () => {
  const ok = { status: 200, body: 'ok\n' };
  const { run, printed } = stubbedTool({
    health: { forms: 'http://127.0.0.1:1', hooks: 'http://127.0.0.1:2', gateway: 'http://127.0.0.1:3' },
    pages: {
      'http://127.0.0.1:1/livez': ok,
      'http://127.0.0.1:1/readyz': ok,
      'http://127.0.0.1:2/livez': ok,
      'http://127.0.0.1:2/readyz': { status: 503, body: 'not ready: postgres, nats\n' },
    },
  });
  expect(await run('health', '--json')).toBe(1);
  expect(JSON.parse(printed[0] ?? '')).toEqual({
    data: [
      { name: 'forms', live: true, ready: true, not_ready: [], warnings: [] },
      { name: 'hooks', live: true, ready: false, not_ready: ['postgres', 'nats'], warnings: [] },
      { name: 'gateway', live: false, ready: false, not_ready: ['no answer'], warnings: [] },
    ],
  });
});

it('shows a warning once, however many processes have it, and succeeds', async () => {
  const ok = { status: 200, body: 'ok\n' };
  const warned = { status: 200, body: 'ok\nwarning: PostgreSQL has no synchronous standby at the moment\n' };
  const { run, printed } = stubbedTool({
    health: { forms: 'http://127.0.0.1:1', hooks: 'http://127.0.0.1:2' },
    pages: {
      'http://127.0.0.1:1/livez': ok,
      'http://127.0.0.1:1/readyz': warned,
      'http://127.0.0.1:2/livez': ok,
      'http://127.0.0.1:2/readyz': warned,
    },
  });
  expect(await run('health')).toBe(0);
  expect(printed.slice(1)).toEqual(['Warning: PostgreSQL has no synchronous standby at the moment.']);
});

it('accepts the addresses of several processes of another system', () => {
  expect(namedUrl('forms=http://10.0.0.7:9090', { gateway: 'http://10.0.0.6:9090' })).toEqual({
    gateway: 'http://10.0.0.6:9090',
    forms: 'http://10.0.0.7:9090',
  });
});

it('says with how long a form keeps submissions what will be erased, and which command undoes it', async () => {
  const upcoming = { setting: 'submissions_days', days: 30, takes_effect_at: '2026-12-02T09:30:00.000Z', undo_days: 90, erases: 42 };
  const answer = {
    id: 'f',
    instance: 'i',
    trash_days: null,
    submissions_days: 30,
    in_force: { submissions_days: 90 },
    upcoming: [upcoming],
  };
  const { run, calls, printed, errors } = stubbedTool({ answer, agrees: true });
  expect(await run('forms', 'keeping', 'f', '--submissions-days', '30')).toBe(0);
  expect(calls.map(({ app, args }) => [app, ...args])).toEqual([
    ['forms', 'set-keeping', '--id=f', '--submissions-days=30'],
    ['submissions', 'show-form-retention', '--form=f', '--instance=i', '--submissions-days=30'],
  ]);
  expect(printed.join()).toContain('submissions_days: 90');
  expect(printed.join()).toContain('takes_effect_at: 2026-12-02T09:30:00.000Z, undo_days: 90, erases: 42');
  expect(errors).toEqual(['Until the shorter days take effect, this undoes them: forms keeping f --submissions-days 90']);
});

it('says the same for an instance, where what was kept for ever is undone by “never”', async () => {
  const answer = { id: 'i', upcoming: [{ setting: 'trash_days', days: 30 }] };
  const { run, errors } = stubbedTool({ answer });
  expect(await run('instances', 'retention', 'acme')).toBe(0);
  expect(errors).toEqual(['Until the shorter days take effect, this undoes them: instances retention acme --trash-days never']);
});

it('attempts are printed as they end, also after the database was away, until Ctrl-C', async () => {
  const interruption = new AbortController();
  const page = (data: object[]) => ({ data, next_cursor: null, as_of: '2026-03-04T10:00:00.000Z' });
  const attempt = {
    delivery_id: 'd',
    number: 2,
    event: 'submission.created',
    form_id: 'f',
    subscription_id: 'w',
    url: 'https://a.example/',
  };
  const ended = { ...attempt, started_at: '2026-03-04T09:59:59.000Z', in_progress: false, status: 503, error: 'status', duration_ms: 7 };
  const looks = [
    () => page([{ ...ended, in_progress: true }]),
    () => {
      throw new Failure('internal_error', 'The database does not answer.');
    },
    () => page([ended, { ...ended, delivery_id: 'other', status: 200, error: undefined }]),
    () => {
      interruption.abort();
      return page([ended]);
    },
  ];
  const { calls, printed, errors, context } = stubbedTool({
    answer: () => looks.shift()?.() ?? page([]),
    interruption: interruption.signal,
  });
  await tailAttempts(context, { form: 'f', status: '5xx' }, 1);
  expect(calls[0]).toMatchObject({ app: 'delivery', args: ['list-attempts', '--form=f'] });
  expect(printed).toEqual(['2026-03-04T09:59:59.000Z  503          7 ms  submission.created  –  attempt 2  w  https://a.example/']);
  expect(errors).toEqual(['Waiting for attempts to deliver; Ctrl-C ends.', 'The database does not answer. Trying again.']);
});

it('webhooks are listened to with the code of developers’ programs, and a key that is no longer valid is named', async () => {
  const server = createServer((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'The credential is not valid.' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { run, errors } = stubbedTool({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  expect(await run('webhooks', 'listen', '--forward', 'localhost:3000')).toBe(2);
  expect(await run('webhooks', 'listen')).toBe(1);
  expect(errors).toEqual([
    '--forward: must be an address, such as http://localhost:3000/webhooks',
    expect.stringMatching(/^The credential is not valid.*\nThe key of the first start was revoked.*SHEAF_KEY/s),
  ]);
  await new Promise((resolve) => server.close(resolve));
});

it('a key is not sent in the clear, and the advice names what this tool has', async () => {
  const { run, errors } = stubbedTool({ url: 'http://forms.example.org' });
  expect(await run('webhooks', 'listen')).toBe(1);
  expect(errors).toEqual([
    'url: must begin with https://, or everybody on the way could read the key. Set SHEAF_URL to an address with https://, or run this on the machine of the system, with one such as http://localhost:8080.',
  ]);
});
