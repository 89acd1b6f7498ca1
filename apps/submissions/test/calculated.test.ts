import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { Started, type PublishedVersion } from './started';

const started = new Started();
const { owner, editor, viewer, clock } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const json = (data: object) => Buffer.from(JSON.stringify(data));
const withFormula = (formula: string, ...others: object[]) =>
  json([
    { key: 'born', label: 'Born', type: 'date', required: true },
    { key: 'name', label: 'Name', type: 'short_text', required: false },
    { key: 'days', label: 'Days', type: 'calculated', required: false, formula },
    ...others,
  ]);
const fields = withFormula('days_between(born, today())');
const dayMs = 86_400_000;
const aForm = () => started.aForm({ fields, timezone: 'Pacific/Auckland' });
const today = () => new Date(clock.now().getTime() + 12 * 3_600_000).toISOString().slice(0, 10);
const answers = ({ data }: { data?: Buffer }) => JSON.parse(data?.toString() ?? '') as object;

async function storedIn(form_id: string): Promise<object[]> {
  const { submissions } = await started.client.listSubmissions(callAs(viewer), { form_id, limit: 100, offset: 0 });
  return submissions.map(answers);
}

it('is stored with what a respondent sends, by the day in the time zone of the form', async () => {
  clock.set('2026-05-31T13:00:00Z');
  const form = aForm();
  await started.submit(form, { born: '2026-05-31', days: 999 });
  expect(await storedIn(form)).toEqual([{ born: '2026-05-31', days: 1 }]);
});

it('is the same for a request that is repeated after midnight', async () => {
  const form = aForm();
  const first = await started.submit(form, { born: '2026-01-01' }, { idempotency_key: 'key' });
  clock.advance(dayMs);
  expect(await started.submit(form, { born: '2026-01-01', name: '' }, { idempotency_key: 'key' })).toMatchObject({ id: first.id });
});

it('is the same for a request that is repeated after another version was published', async () => {
  const version = (number: number, ofVersion: Buffer): PublishedVersion => ({
    version: number,
    version_id: newId(),
    published_at: clock.now().toISOString(),
    fields: ofVersion,
  });
  const before = version(1, fields);
  const form = started.aForm({ published: [before], timezone: 'Pacific/Auckland' });
  const first = await started.submit(form, { born: '2026-01-01' }, { idempotency_key: 'key' });
  clock.advance(dayMs);
  const mail = { key: 'mail', label: 'E-mail', type: 'email', required: true };
  started.setVersions(form, [before, version(2, withFormula('days_between(born, today()) + 1', mail))]);
  const client = await started.startAfresh();
  const repeat = (data: object) => client.submit(callAs(started.respondent), { form, data: json(data), idempotency_key: 'key' });
  expect(await repeat({ born: '2026-01-01', days: 12 })).toMatchObject({ id: first.id });
  expect(await repeat({ born: '2026-01-01', name: '' })).toMatchObject({ id: first.id });
  await expect(repeat({ born: '2026-01-02' })).rejects.toEqual(
    refused('bad_request', 'Idempotency-Key: was already used with different answers'),
  );
});

it('is not compared in the items of a repeat either, whose formula may have changed', async () => {
  const version = (number: number, formula: string): PublishedVersion => {
    const inItem = JSON.parse(withFormula(formula).toString()) as object[];
    const guests = { key: 'guests', label: 'Guests', type: 'repeat', required: true, fields: inItem };
    return { version: number, version_id: newId(), published_at: clock.now().toISOString(), fields: json([guests]) };
  };
  const form = started.aForm({ published: [version(1, 'days_between(born, today())')], timezone: 'Pacific/Auckland' });
  const first = await started.submit(form, { guests: [{ born: '2026-01-01' }] }, { idempotency_key: 'key' });
  clock.advance(dayMs);
  // The version of the first request is lost.
  started.setVersions(form, [version(2, 'days_between(born, today()) + 1')]);
  const client = await started.startAfresh();
  const repeat = (...guests: object[]) =>
    client.submit(callAs(started.respondent), { form, data: json({ guests }), idempotency_key: 'key' });
  expect(await repeat({ born: '2026-01-01', days: 12 })).toMatchObject({ id: first.id });
  expect(await repeat({ born: '2026-01-01', name: '' })).toMatchObject({ id: first.id });
  for (const others of [[{ born: '2026-01-02' }], [{ born: '2026-01-01' }, { born: '2026-01-01' }]])
    await expect(repeat(...others)).rejects.toMatchObject({ details: [{ code: 'key_reused' }] });
});

it('is computed for entries, and anew for a correction, which makes nobody older', async () => {
  const form = aForm();
  const data = { born: today(), days: 5 };
  const entered = await started.client.enterSubmission(callAs(editor), { form_id: form, data: json(data) });
  expect(answers(entered)).toEqual({ born: data.born, days: 0 });
  clock.advance(3 * dayMs);
  const correct = (wanted: object, revision: number) =>
    started.client.correctSubmission(callAs(owner), { form_id: form, id: entered.id, data: json(wanted), revision });
  expect(answers(await correct({ ...data, name: 'Ada' }, 0))).toEqual({ born: data.born, name: 'Ada', days: 0 });
  const earlier = new Date(Date.parse(data.born) - 2 * dayMs).toISOString().slice(0, 10);
  expect(answers(await correct({ born: earlier, name: 'Ada' }, 1))).toEqual({ born: earlier, name: 'Ada', days: 2 });
});

it('is computed for rows of a file, whose column for it is not taken', async () => {
  const form = aForm();
  async function* parts() {
    yield { file: { form_id: form, match: [], idempotency_key: 'import', only_valid: false, events: false } };
    yield { bytes: await Promise.resolve(Buffer.from('created_at,born,days\n2026-02-03 12:00,2026-02-01,many\n')) };
  }
  await started.client.importSubmissions(callAs(editor), parts());
  expect(await storedIn(form)).toEqual([{ born: '2026-02-01', days: 2 }]);
});
