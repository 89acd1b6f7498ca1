import { eventually } from '@sheaf/testing';
import { copiesOf } from '../../support/copies';
import { createInstanceFixture } from '../../support/instance-fixture';
import { createInstance } from '../../support/instances';
import { sheaf, sheafJson } from '../../support/operator';
import { sharedSystem, type SharedSystem } from '../../support/shared-system';

let system: SharedSystem;
const runForJson = <T = Record<string, string>>(...args: string[]) => sheafJson<T>(system.dataDir, ...args);

beforeAll(async () => {
  system = await sharedSystem('hosts');
});

it('the operator erases an instance with everything that belongs to it', async () => {
  const slug = 'erased';
  await createInstance(system.dataDir, { slug });
  const named = async () => (await runForJson<{ data: { name: string }[] }>('instances', 'list')).data.map(({ name }) => name);
  expect(await named()).toContain(slug);
  expect(await runForJson('instances', 'erase', slug, '--yes')).toEqual({ workspaces: 1, people: 1, service_accounts: 0 });
  expect(await named()).not.toContain(slug);
  expect(await sheaf(system.dataDir, ['instances', 'erase', slug, '--yes'])).toMatchObject({ code: 1 });
});

it('an erased instance is nowhere any more, in no table, stream, file or log, and another one is everywhere it was', async () => {
  const [gone, stays] = [`gone${Date.now()}`, `stays${Date.now()}`];
  await markedInstance('leaving', gone);
  await markedInstance('staying', stays);
  const everywhere = expect.arrayContaining([
    'workspaces.person',
    'workspaces.folder',
    'forms.form_settings',
    'submissions.submission',
    'submissions.search_entry',
    'submissions.note',
    expect.stringMatching(/^delivery\.event_/),
    expect.stringMatching(/^nats/),
  ]) as string[];
  for (const marker of [gone, stays]) await eventually(async () => expect(await copiesOf(system.dataDir, marker)).toEqual(everywhere));
  const others = await copiesOf(system.dataDir, stays);

  await runForJson('instances', 'erase', 'leaving', '--yes');
  await eventually(async () => expect(await copiesOf(system.dataDir, gone)).toEqual([]));
  expect(await copiesOf(system.dataDir, stays)).toEqual(others);
});

/** An instance with a text in the name of its owner, a folder, a form, a submission and a note. */
async function markedInstance(slug: string, marker: string): Promise<void> {
  const credentials = await createInstance(system.dataDir, { slug });
  const { anyone, byKey, bySession, form } = await createInstanceFixture(system.origin, `${slug}.sheaf.test`, credentials);
  await bySession.patch('/app/v1/me', { name: `Ada ${marker}` });
  await byKey.post('/api/v1/folders', { label: `Folder ${marker}` });
  await byKey.patch(`/app/v1/forms/${form}`, { description: `About ${marker}` });
  await byKey.post('/api/v1/hooks/subscribe', {
    form_id: form,
    target_url: 'http://127.0.0.1:9/',
    event: 'submission.created',
    source: 'make',
  });
  const { body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: `Grace ${marker}` } });
  const { id } = body as { id: string };
  await byKey.post(`/app/v1/forms/${form}/submissions/${id}/notes`, { text: `Called ${marker}` });
}

it('the operator decides how long the forms of an instance keep submissions', async () => {
  await createInstance(system.dataDir, { slug: 'kept' });
  const retention = (...changes: string[]) => runForJson<Record<string, unknown>>('instances', 'retention', 'kept', ...changes);
  expect(await retention('--trash-days', '30', '--files-days', '90', '--yes')).toMatchObject({ trash_days: 30, files_days: 90 });
  await retention('--trash-days', 'never', '--yes');
  expect(await retention()).toMatchObject({
    trash_days: null,
    submissions_days: null,
    files_days: 90,
    in_force: {},
    upcoming: [{ setting: 'files_days', days: 90, erases: 0 }],
  });
});
