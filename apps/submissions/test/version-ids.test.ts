import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { countWaiting } from '../src/insights/count-waiting';
import { indexWaiting } from '../src/search/search-index';
import { Started, type PublishedVersion } from './started';

// The database of `forms` is restored alone to an earlier moment, and numbers of versions are used again.
const started = new Started();
const { owner, respondent, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const never = new AbortController().signal;
type Client = typeof started.client;

/** A version with one field, whose key no other version has. */
const aVersion = (
  version: number,
  { key = `k${newId().slice(-12)}`, ...field }: { key?: string; type?: string; options?: object[] } = {},
) => ({
  key,
  version: {
    version,
    version_id: newId(),
    published_at: clock.now().toISOString(),
    fields: Buffer.from(JSON.stringify([{ key, label: key, type: 'short_text', required: false, ...field }])),
  } satisfies PublishedVersion,
});

const submit = async (client: Client, form: string, data: object) =>
  (await client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(data)) })).id;
const detail = (form_id: string, id: string) => started.client.getSubmissionDetail(callAs(owner), { form_id, id });
const correct = (client: Client, form_id: string, id: string, data: object) =>
  client.correctSubmission(callAs(owner), { form_id, id, data: Buffer.from(JSON.stringify(data)), revision: 0 });
/** The fields under which a respondent sees what they sent; undefined if they see no answers. */
const fieldsShown = async (client: Client, form_id: string, id: string) => {
  const { fields, data } = await client.getReceipt(callAs(respondent), { form_id, id });
  expect(data === undefined).toBe(fields === undefined);
  return fields?.toString();
};

it('keeps the id of its version with a submission, and tells it beside the number', async () => {
  const { key, version } = aVersion(1);
  const form = started.aForm({ published: [version] });
  const id = await submit(started.client, form, { [key]: 'x' });
  const { version_id } = version;
  expect(await detail(form, id)).toMatchObject({ schema_version: 1, version_id });
  const found = await started.client.findSubmissions(callAs(owner), { form_id: form, limit: 1, sort: 'created', as_json: true });
  expect(JSON.parse(found.json?.toString() ?? '')).toMatchObject([{ schema_version: 1, version_id }]);

  const spam = await started.client.submit(callAs(respondent), { form, data: Buffer.from('{}'), hp: 'x' });
  const { submissions } = await started.client.listSpam(callAs(owner), { form_id: form, limit: 1, offset: 0 });
  expect(submissions).toMatchObject([{ id: spam.id, version_id }]);
});

it('is stored without the id that an earlier release of forms does not tell', async () => {
  const form = started.aForm();
  const { id } = await started.submit(form);
  expect((await detail(form, id)).version_id).toBeUndefined();
});

it('is never read under another version, whatever is published, restored and published anew', async () => {
  const first = aVersion(1);
  let versions = [first];
  const form = started.aForm({ published: [first.version], settings: { show_answers: true } });
  const made: { id: string; of: ReturnType<typeof aVersion> }[] = [];
  const moments: (typeof versions)[] = [];
  // Two in a row take every way from each to each: publish, submit, keep a moment, go back to the first one kept, start another process.
  for (const step of 'kspsprpsrpskppsrpsspkrps') {
    clock.advance(1_000);
    const latest = versions.at(-1);
    if (step === 'p') versions = [...versions, aVersion(versions.length + 1)];
    if (step === 'k') moments.push(versions);
    if (step === 'r') versions = moments[0] ?? versions;
    started.setVersions(
      form,
      versions.map(({ version }) => version),
    );
    const client = await started.startAfresh();
    if (step === 's' && latest) made.push({ id: await submit(client, form, { [latest.key]: 'x' }), of: latest });
    for (const { id, of } of made) {
      const isThere = versions.includes(of);
      expect(await fieldsShown(client, form, id)).toBe(isThere ? of.version.fields.toString() : undefined);
      if (!isThere) await expect(correct(client, form, id, { [of.key]: 'y' })).rejects.toEqual(refused('conflict'));
    }
  }
  expect(made.some(({ of }) => !versions.includes(of))).toBe(true);
});

it('is known without an id to be of no version that was published after it', async () => {
  const { key, version } = aVersion(1);
  const form = started.aForm({ published: [version], settings: { show_answers: true } });
  const id = await submit(started.client, form, { [key]: 'x' });
  await started.db('submission').where({ id }).update({ version_id: null });
  expect(await fieldsShown(await started.startAfresh(), form, id)).toBe(version.fields.toString());
  clock.advance(120_000);
  started.setVersions(form, [aVersion(1).version]);
  expect(await fieldsShown(await started.startAfresh(), form, id)).toBeUndefined();
});

it('is exported with its answers under their keys, whatever forms knows', async () => {
  const [lost, anew] = [aVersion(1), aVersion(1)];
  const form = started.aForm({ published: [lost.version], fields: anew.version.fields });
  await submit(started.client, form, { [lost.key]: 'what was sent' });
  await started.versions.idle();
  started.setVersions(form, [anew.version]);
  await indexWaiting(started.deps, never);
  await countWaiting(started.deps, never);
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(owner), { form_id: form, format: 'csv' })) parts.push(data);
  const [header = '', row = ''] = Buffer.concat(parts).toString().split('\r\n');
  expect(row.split(',')[header.split(',').indexOf(lost.key)]).toBe('what was sent');
});

it('is counted under its own version, and not at all under one that is missing', async () => {
  const options = [{ value: 'red', label: 'Red' }];
  const key = 'colour';
  const [lost, anew] = [aVersion(1, { key, type: 'select', options }), aVersion(1, { key })];
  const form = started.aForm({ published: [lost.version], fields: lost.version.fields });
  await submit(started.client, form, { colour: 'red' });
  await started.versions.idle();
  // The fields of this one were in no cache before they were lost.
  const unknown = await submit(started.client, form, { colour: 'red' });
  await started.db('submission').where({ id: unknown }).update({ version_id: newId() });
  started.setVersions(form, [anew.version]);
  const client = await started.startAfresh();
  await submit(client, form, { colour: 'a text' });
  const insights = async () => {
    await started.versions.idle();
    await indexWaiting(started.deps, never);
    await countWaiting(started.deps, never);
    return client.getInsights(callAs(owner), { form_id: form, timezone: 'UTC', keys: [] });
  };
  await insights();
  expect(await insights()).toMatchObject({
    complete: true,
    submissions: 3,
    fields: [{ key: 'n' }, { key, answered: 2, options: [{ value: 'red', submissions: 1 }] }],
  });
});
