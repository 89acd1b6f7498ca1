import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startSubscriber } from '@sheaf/testing';
import { Webhook } from 'standardwebhooks';
import { Desk } from '../../support/command-line';
import * as given from '../../support/given';
import { startSheaf } from '../../support/operator';
import { asOutsider } from '../../support/outsider';
import { acceptedInvitation, anyone, asOwner, asOwnerSignedIn, credentials } from '../../support/people';

it('a developer without a tunnel gets the events of a form on their machine, signed as by a webhook', async () => {
  const desk = await Desk.begin();
  const form = await given.publishedForm();
  const server = await startSubscriber();
  await desk.run(['login', '--url', anyone.origin], { stdin: `${credentials.api_key}\n` });
  const listener = desk.start(['webhooks', 'listen', form, '--forward', `${server.url}/hook`, '--json']);
  try {
    const said = createInterface(listener.stderr)[Symbol.asyncIterator]();
    const { value: first } = (await said.next()) as { value: string };
    const secret = /whsec_\S+/.exec(first)?.[0] ?? '';
    await said.next();
    const shown = createInterface(listener.stdout)[Symbol.asyncIterator]();
    await given.submission(form, { name: 'Ada' });
    const { value } = (await shown.next()) as { value: string };
    expect(JSON.parse(value)).toMatchObject({ event: 'submission.created', status: 200, body: { data: { name: 'Ada' } } });
    const [{ body, headers } = { body: '', headers: {} }] = server.received;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ form_id: form });
    listener.kill('SIGINT');
    expect(await once(listener, 'close')).toEqual([0, null]);
  } finally {
    listener.kill('SIGKILL');
    await server.close();
    await desk.close();
  }
});

it('an operator listens as a developer does, with the key of the first start', async () => {
  const form = await given.publishedForm();
  const server = await startSubscriber();
  const listener = startSheaf(process.env.E2E_DATA_DIR ?? '', ['webhooks', 'listen', form, '--forward', `${server.url}/hook`]);
  try {
    const said = createInterface(listener.stderr)[Symbol.asyncIterator]();
    const { value: first } = (await said.next()) as { value: string };
    await said.next();
    await given.submission(form, { name: 'Ada' });
    const [{ body, headers } = { body: '', headers: {} }] = await server.waitFor(1);
    const secret = /whsec_\S+/.exec(first)?.[0] ?? '';
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ form_id: form });
    listener.kill('SIGINT');
    expect(await once(listener, 'close')).toEqual([0, null]);
  } finally {
    listener.kill('SIGKILL');
    await server.close();
  }
});

it('a program whose person loses the role in the middle ends, and says what to do', async () => {
  const desk = await Desk.begin();
  const form = await given.publishedForm();
  const { userId, person } = await acceptedInvitation('editor');
  const { key } = (await person.post('/app/v1/api-keys', { name: 'Laptop' })).body as { key: string };
  const listener = desk.start(['webhooks', 'listen', form], { SHEAF_URL: anyone.origin, SHEAF_KEY: key });
  try {
    const said = createInterface(listener.stderr)[Symbol.asyncIterator]();
    expect((await said.next()).value).toContain('Waiting for events');
    const owner = await asOwnerSignedIn();
    expect(await owner.patch(`/app/v1/workspaces/${credentials.workspace_id}/members/${userId}`, { role: 'viewer' })).toMatchObject({
      status: 200,
    });
    expect((await said.next()).value).toMatch(/change webhooks of this form/);
    expect((await said.next()).value).toContain('Ask an owner of the form for a role on it');
    expect(await once(listener, 'close')).toEqual([1, null]);
  } finally {
    listener.kill('SIGKILL');
    await desk.close();
  }
});

it('without a form, a program hears every form of its key until a role on it is lost, and gives all listeners back', async () => {
  const person = await asOutsider();
  const own = await given.publishedForm({ title: 'Own' }, person);
  const shared = await given.publishedForm({ title: 'Shared' });
  const { id: userId } = (await person.get('/app/v1/me')).body as { id: string };
  const grant = `/app/v1/forms/${shared}/grants/${userId}`;
  expect(await asOwner.put(grant, { role: 'editor' })).toMatchObject({ status: 200 });
  const { key } = (await person.post('/app/v1/api-keys', { name: 'Laptop' })).body as { key: string };
  const server = await startSubscriber();
  const env = { SHEAF_URL: anyone.origin, SHEAF_KEY: key };
  const listener = startSheaf(process.env.E2E_DATA_DIR ?? '', ['webhooks', 'listen', '--forward', `${server.url}/hook`], env);
  try {
    const said = createInterface(listener.stderr)[Symbol.asyncIterator]();
    const secret = /whsec_\S+/.exec(((await said.next()) as { value: string }).value)?.[0] ?? '';
    expect((await said.next()).value).toContain('Waiting for events of 2 forms');
    const heard = () =>
      server.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>)).map(formOf);

    await given.submission(own);
    await given.submission(shared);
    await server.waitFor(2);
    expect(new Set(heard())).toEqual(new Set([own, shared]));

    expect(await asOwner.delete(grant)).toMatchObject({ status: 204 });
    expect((await said.next()).value).toContain('“Shared” is not listened to');
    await given.submission(shared);
    await given.submission(own);
    await server.waitFor(3);
    expect(heard().slice(2)).toEqual([own]);

    listener.kill('SIGINT');
    expect(await once(listener, 'close')).toEqual([0, null]);
    const begun = Array.from({ length: mostListeners }, () =>
      person.post(`/app/v1/forms/${own}/webhook-listeners/${randomUUID()}`, { events: ['submission.created'] }),
    );
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual(begun.map(() => 200));
  } finally {
    listener.kill('SIGKILL');
    await server.close();
  }
});

/** The most that listen to a form. */
const mostListeners = 5;

const formOf = (body: unknown): string => (body as { form_id: string }).form_id;
