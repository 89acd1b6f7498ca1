import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startSubscriber } from '@sheaf/testing';
import { Webhook } from 'standardwebhooks';
import { Desk } from '../../support/command-line';
import * as given from '../../support/given';
import { anyone, credentials } from '../../support/people';

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
