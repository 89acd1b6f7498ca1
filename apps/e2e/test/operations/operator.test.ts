import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';
import { eventually, soonMs, startSubscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { sheafJson, sheaf } from '../../support/operator';
import { acceptedInvitation, anyone, asOwner, asOwnerSignedIn, credentials, signIn } from '../../support/people';

const dataDir = process.env.E2E_DATA_DIR ?? '';
const inFirst = ['--instance', credentials.workspace_id];
const password = 'a good long password';
const newAddress = () => `operated-${randomUUID()}@example.org`;
const run = (...args: string[]) => sheaf(dataDir, args);
const runForJson = <T = Record<string, string>>(...args: string[]) => sheafJson<T>(dataDir, ...args);
const containing = (text: string) => expect.stringContaining(text) as unknown;
const failure = (code: string, message: string) => ({ error: { code, message: expect.stringContaining(message) as unknown } });

// A command starts two processes. So each app runs some of its commands here, and the rest of what its commands do is in the operator-commands.test of the
// app, and of what the tool passes on in tools/sheaf/src/program.test.

/** A user with a password in a new workspace, whose owner is invited. */
interface Operated {
  email: string;
  workspace: string;
  slug: string;
  owner: string;
  invitation: string;
}
let operated: Operated;
beforeAll(async () => {
  const email = newAddress();
  const owner = newAddress();
  const {
    id: workspace = '',
    slug = '',
    invitation_url: invitation = '',
  } = await runForJson('workspaces', 'create', '--name', 'Operated', '--owner', owner, ...inFirst);
  const made = await sheaf(
    dataDir,
    ['users', 'create', '--email', email, '--workspace', workspace, '--role', 'admin', '--password-stdin', '--json'],
    { stdin: `${password}\n` },
  );
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(made.stdout)).not.toHaveProperty('invitation_url');
  operated = { email, workspace, slug, owner, invitation };
});

interface Entry {
  action: string;
  actor: { kind: string; id: string };
}
/** Waits without the tool. */
const recorded = (erasure: string) =>
  eventually(async () => expect(await asOwner.get(`/app/v1/erasures/${erasure}`)).toMatchObject({ status: 200 }));
const auditOf = async (target: string) =>
  ((await (await asOwnerSignedIn()).get(`/app/v1/audit-log?target_id=${target}`)).body as { data: Entry[] }).data;

describe('the operator’s tool', () => {
  it('creates a workspace, a user and a key, which is written only into a new private file, is valid at once, and is not once it is revoked', async () => {
    const { email, workspace } = operated;
    const file = join(dataDir, `${randomUUID()}.json`);
    const { stdout, stderr } = await run('keys', 'create', '--user', email, '--name', 'CI', '--output', file);
    const { id, key } = JSON.parse(await readFile(file, 'utf8')) as { id: string; key: string };
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(stdout + stderr).not.toContain(key);

    expect(await anyone.with(key).get('/api/v1/auth/me')).toMatchObject({ status: 200, body: { email } });
    expect(await anyone.with(key).get('/api/v1/workspaces')).toMatchObject({
      status: 200,
      body: { data: [{ id: workspace, name: 'Operated', role: 'admin' }] },
    });
    await signIn(email, password);
    await eventually(async () =>
      expect(await auditOf(id)).toMatchObject([{ action: 'api_key.created', actor: { kind: 'service', id: 'operator' } }]),
    );

    for (const log of ['workspaces', 'gateway', 'system'])
      expect(await readFile(join(dataDir, 'log', `${log}.log`), 'utf8').catch(() => '')).not.toContain(key);

    await runForJson('keys', 'revoke', id, '--yes');
    await eventually(async () => expect(await anyone.with(key).get('/api/v1/auth/me')).toMatchObject({ status: 401 }), soonMs);
  });

  it('creates a link that signs a person in once, who can then set a password', async () => {
    const owner = await asOwnerSignedIn();
    const email = newAddress();
    await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email, role: 'viewer' });
    const { sign_in_url = '' } = await runForJson('users', 'sign-in-link', '--email', email, ...inFirst);
    const { origin, pathname, hash } = new URL(sign_in_url);
    expect(origin + pathname).toBe(`${new URL(credentials.base_url).origin}/console/sign-in`);
    const link = new URLSearchParams(hash.slice(1)).get('link') ?? '';

    const { status, body } = await anyone.post('/app/v1/sessions', { link });
    expect({ status, body }).toMatchObject({ status: 201, body: { user: { email } } });
    expect(await anyone.post('/app/v1/sessions', { link })).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });

    const person = anyone.with((body as { token: string }).token);
    expect(await person.get('/app/v1/me')).toMatchObject({ body: { has_password: false } });
    expect(await person.patch('/app/v1/me', { password })).toMatchObject({ status: 200, body: { has_password: true } });
    await signIn(email, password);
  });

  it('decides how long a form keeps submissions, and erases from the trash what is not under legal hold', async () => {
    const form = await given.publishedForm();
    const id = await given.submission(form);
    await asOwner.delete(`/api/v1/forms/${form}/submissions/${id}`);
    const keeping = (...changes: string[]) => runForJson<Record<string, unknown>>('forms', 'keeping', form, ...changes);
    expect(await keeping('--trash-days', '30', '--files-days', '90', '--legal-hold', 'on', '--yes')).toMatchObject({
      trash_days: 30,
      submissions_days: null,
      files_days: 90,
      legal_hold: true,
      in_force: {},
      upcoming: [
        { setting: 'trash_days', days: 30 },
        { setting: 'files_days', days: 90 },
      ],
    });
    expect((await asOwner.get(`/app/v1/forms/${form}`)).body).toMatchObject({
      retention: { trash_days: 30, files_days: 90 },
      legal_hold: true,
    });
    // `submissions` hears of the hold a moment later, and erases until then. So each attempt has a submission of its own.
    await eventually(async () => {
      const other = await given.submission(form);
      await asOwner.delete(`/api/v1/forms/${form}/submissions/${other}`);
      expect(await asOwner.delete(`/app/v1/forms/${form}/submissions/${other}?forever=true`)).toMatchObject({ status: 409 });
    });
    expect(await run('submissions', 'erase', id, '--yes')).toMatchObject({ code: 1, stderr: containing('legal hold') });
    expect(await keeping('--files-days', 'never', '--legal-hold', 'off', '--yes')).toMatchObject({
      trash_days: 30,
      files_days: null,
      legal_hold: false,
    });
    await eventually(async () => {
      const other = await given.submission(form);
      await asOwner.delete(`/api/v1/forms/${form}/submissions/${other}`);
      expect(await asOwner.delete(`/app/v1/forms/${form}/submissions/${other}?forever=true`)).toMatchObject({ status: 202 });
    });
    const { erasure_id: erasure = '' } = await runForJson('submissions', 'erase', id, '--yes');
    await recorded(erasure);
    expect(await runForJson('erasures', 'show', erasure)).toMatchObject({
      kind: 'submission',
      target_id: id,
      requested_by: 'service operator',
    });
    await asOwner.delete(`/api/v1/forms/${form}`);
    const { erasure_id: whole = '' } = await runForJson('forms', 'erase', form, '--yes');
    expect(await asOwner.get(`/app/v1/forms/${form}`)).toMatchObject({ status: 404 });
    await recorded(whole);
  });

  it('invites a person with a link to set a password', async () => {
    const { owner: email, invitation } = operated;
    expect(invitation).toContain(new URL(credentials.base_url).origin);
    const token = invitation.split('/').at(-1) ?? '';
    expect(await anyone.post(`/app/v1/invitations/${token}`, { name: 'Invited', password })).toMatchObject({
      status: 201,
      body: { user: { email } },
    });
    await signIn(email, password);
  });

  it('sets a password: earlier sessions end, and only the new password signs in', async () => {
    const { email, signIn: signInAs } = await acceptedInvitation('viewer');
    const session = await signInAs();
    expect(await session.get('/api/v1/auth/me')).toMatchObject({ status: 200 });

    const another = 'another good long password';
    expect(await sheaf(dataDir, ['users', 'set-password', '--email', email], { stdin: another })).toMatchObject({ code: 0 });
    await eventually(async () => expect(await session.get('/api/v1/auth/me')).toMatchObject({ status: 401 }), soonMs);
    await signIn(email, another);
    await expect(signInAs()).rejects.toThrow('401');
  });

  it('shows a failed delivery and sends it again', async () => {
    const subscriber = await startSubscriber();
    try {
      const form = await given.publishedForm();
      const url = `${subscriber.url}/operated`;
      subscriber.answer({ status: 410, body: 'There is nobody here.' });
      const explained = async (about: string) =>
        (await runForJson<{ findings: { code: string; text: string }[] }>('deliveries', 'explain', about)).findings;
      const unheard = await given.submission(form);
      await eventually(async () =>
        expect(await explained(unheard)).toMatchObject([
          { code: 'stored' },
          { code: 'nobody_listened', text: expect.stringMatching(/no webhook/i) as unknown },
        ]),
      );
      await given.subscription(form, url);
      const submission = await given.submission(form);
      const isNow = (state: string) =>
        eventually(async () =>
          expect(await asOwner.get(`/app/v1/forms/${form}/deliveries?state=${state}`)).toMatchObject({ body: { total: 1 } }),
        );
      await isNow('failed');
      const of = new URL(url).host;
      const { data: failures } = await runForJson<{ data: { id: string; attempt_count: number }[] }>(
        'deliveries',
        'list',
        ...['--submission', submission, '--host', of, '--state', 'failed'],
      );
      expect(failures).toMatchObject([{ attempt_count: 1 }]);
      const id = failures[0]?.id ?? '';
      const gone = { code: 'failed', text: containing(`at ${of}: attempt 1 at `) };
      expect(await explained(submission)).toMatchObject([{ code: 'stored' }, gone]);
      const received = () => subscriber.received.filter(({ headers }) => headers['webhook-id'] === id);

      subscriber.answer(200);
      // After a 410 the subscriber must subscribe again, and nothing can be sent until every service knows.
      await eventually(async () => {
        await given.subscription(form, url);
        expect(await run('deliveries', 'redeliver', id, '--yes', '--json')).toMatchObject({ code: 0 });
      });
      await eventually(() => expect(received()).toHaveLength(2));
      await isNow('succeeded');

      expect(await runForJson<{ body: string; attempts: unknown[] }>('deliveries', 'show', id)).toMatchObject({
        body: received()[0]?.body,
        attempts: [
          { status: 410, response: { body: 'There is nobody here.' } },
          { status: 200, response: null },
        ],
      });
      await eventually(async () =>
        expect(await auditOf(id)).toMatchObject([{ action: 'delivery.redelivered', actor: { kind: 'service', id: 'operator' } }]),
      );
      expect(await asOwner.get(`/app/v1/forms/${form}/deliveries/${id}`)).toMatchObject({ status: 200 });
    } finally {
      await subscriber.close();
    }
  });

  it('shows which processes are ready, and their versions', async () => {
    const { data: health } = await runForJson<{ data: { name: string; ready: boolean }[] }>('health');
    expect(health.map(({ name, ready }) => [name, ready])).toEqual(apps.map((name) => [name, true]));

    const { data: versions } = await runForJson<{
      data: { app: string; version: string; node: string; nats?: string; migrations?: { pending: string[] } }[];
    }>('versions');
    expect(versions.map(({ app }) => app).sort()).toEqual([...apps].sort());
    for (const { app, version, node, nats, migrations } of versions) {
      expect([version, node]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/), process.versions.node]);
      if (app === 'gateway') expect(nats).toMatch(/^2\./);
      // Pages keeps nothing.
      else expect(migrations?.pending).toEqual(app === 'pages' ? undefined : []);
    }
  });
});

describe('a command', () => {
  it('gives a person a role in the instance, lists who runs it, and takes the role away', async () => {
    const { email } = operated;
    expect(await runForJson('instances', 'members', 'set', '--email', email, '--role', 'admin', ...inFirst)).toMatchObject({
      email,
      role: 'admin',
    });
    const { data: members } = await runForJson<{ data: object[] }>('instances', 'members', 'list', ...inFirst);
    expect(members).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: credentials.user.email, role: 'owner' }),
        expect.objectContaining({ email, role: 'admin' }),
      ]),
    );
    expect(await runForJson('instances', 'members', 'remove', '--email', email, ...inFirst)).toMatchObject({ email });
    expect(await (await signIn(email, password)).get('/app/v1/instance/members')).toMatchObject({ status: 403 });
  });

  it('is refused with one line of JSON and exit code 1: a slug that is taken', async () => {
    const create = ['workspaces', 'create', '--name', 'X', '--owner', 'a@example.org', '--slug', operated.slug, ...inFirst, '--json'];
    const result = await sheaf(dataDir, create);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(result.stderr)).toEqual(failure('bad_request', 'slug: is taken'));
  });

  it('ends with 2 if its input is not valid: a password that is too short, and the old one stays', async () => {
    const { email } = operated;
    const { code, stderr } = await sheaf(dataDir, ['users', 'set-password', '--email', email], { stdin: 'short' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('must have between 12 and 200 characters')]);
    await signIn(email, password);
  });

  it('works on the database in its environment, and prints a list as a table', async () => {
    const { databases } = JSON.parse(await readFile(join(dataDir, 'run/system.json'), 'utf8')) as {
      databases: { workspaces: { url: string } };
    };
    const nowhere = join(dataDir, 'nowhere');
    expect(await sheaf(nowhere, ['instances', 'list'], { env: { WORKSPACES_DATABASE_URL: databases.workspaces.url } })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: containing('│ domain │ created'),
    });
  });
});
