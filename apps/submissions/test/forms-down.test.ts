import { newId } from '@sheaf/kernel';
import { connect, Forms } from '@sheaf/rpc';
import { callAs, refused } from '@sheaf/testing';
import { formsView } from '../src/form/forms-view';
import { Started } from './started';

const started = new Started();
const { clock } = started;
const staleMs = 600_000;
beforeAll(() => started.start());
afterAll(() => started.stop());

it('known forms keep taking submissions for minutes while forms is unreachable', async () => {
  // The cache keeps entries only for a moment.
  const forms = connect(started.neighbour.address, Forms);
  const client = await started.startProcess({
    forms: formsView(forms.client, started.broker, { patterns: started.patterns, clock, staleMs, onVersion: () => undefined, ttlMs: 1 }),
  });
  const form = started.aForm({ closes_at: '2026-06-01T12:09:00.000Z' });
  const unseen = started.aForm();
  const submit = (to: string) => client.submit(callAs(started.respondent), { form: to, data: Buffer.from('{"name":"Ada"}') });
  await submit(form);
  await started.neighbour.stop();

  clock.advance(60_000);
  await expect(submit(form)).resolves.toMatchObject({ status: 'new' });
  await expect(client.getIntakeForm(callAs(started.respondent), { form })).resolves.toMatchObject({ id: form, version: 3, open: true });
  await expect(submit(unseen)).rejects.toEqual(refused('unavailable'));
  await expect(client.submit(callAs({ kind: 'respondent', instanceId: newId() }), { form, data: Buffer.from('{}') })).rejects.toEqual(
    refused('unavailable'),
  );
  // Permissions are not public and are never taken from stale data.
  await expect(client.listSubmissions(callAs(started.owner), { form_id: form, limit: 1, offset: 0 })).rejects.toEqual(
    refused('unavailable'),
  );

  clock.advance(8 * 60_000);
  await expect(submit(form)).rejects.toEqual(refused('forbidden'));
  clock.advance(staleMs - 9 * 60_000 + 1);
  await expect(submit(form)).rejects.toEqual(refused('unavailable'));
  expect(await started.db('submission').where({ form_id: form })).toHaveLength(2);
  forms.close();
});
