import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startSubscriber } from '@sheaf/testing';
import { Webhook } from 'standardwebhooks';
import { Desk } from '../../support/command-line';
import * as given from '../../support/given';
import { startSheaf } from '../../support/operator';
import { acceptedInvitation, anyone, asOwnerSignedIn, credentials } from '../../support/people';

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
