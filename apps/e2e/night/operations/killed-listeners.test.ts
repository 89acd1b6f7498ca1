import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { eventually } from '@sheaf/testing';
import { Desk } from '../../support/command-line';
import * as given from '../../support/given';
import { anyone, credentials } from '../../support/people';

/** The most that listen to a form. */
const atMost = 5;

it('programs that are killed while they listen are gone after a minute, with all that waited for them', async () => {
  const desk = await Desk.begin();
  const form = await given.publishedForm();
  const env = { SHEAF_URL: anyone.origin, SHEAF_KEY: credentials.api_key };
  const listen = () => desk.start(['webhooks', 'listen', form, '--json'], env);
  const listeners = Array.from({ length: atMost }, listen);
  try {
    for (const { stderr } of listeners) await once(createInterface(stderr), 'line');
    for (const listener of listeners) {
      listener.kill('SIGKILL');
      await once(listener, 'close');
    }
    await given.submission(form, { name: 'Ada' });
    const refused = await desk.run(['webhooks', 'listen', form], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`At most ${atMost} programs listen`) as string });

    await eventually(async () => {
      const next = listen();
      listeners.push(next);
      const [line] = (await Promise.race([once(createInterface(next.stderr), 'line'), once(next, 'close')])) as [unknown];
      expect(line).toContain('Waiting for events');
    }, 90_000);
    // It hears from now on, and nothing of what the killed ones have missed.
    const next = listeners.at(-1);
    await given.submission(form, { name: 'Grace' });
    const [shown] = next === undefined ? [''] : ((await once(createInterface(next.stdout), 'line')) as [string]);
    expect(JSON.parse(shown)).toMatchObject({ event: 'submission.created', body: { data: { name: 'Grace' } } });
  } finally {
    for (const listener of listeners) listener.kill('SIGKILL');
    await desk.close();
  }
});
