import { newId, type Caller, type Problem } from '@sheaf/kernel';
import { callAs, connectionsDieAt, eventually } from '@sheaf/testing';
import { finishErasures } from '../src/erasing/finish-erasures';
import { followForms } from '../src/erasing/follow-forms';
import { eraseExpired } from '../src/erasing/retention';
import { StartedWithFiles } from './started-with-files';

const service = new StartedWithFiles();
const { started, aForm, upload } = service;
const { owner, viewer, outsider, instanceId, workspaceId, clock } = started;
beforeAll(() => service.start());
afterAll(() => service.stop());
// Forms of earlier tests keep everything, and are found by no round.
beforeEach(async () => {
  for (const table of ['form_keeping', 'instance_keeping', 'intake']) await started.db(table).delete();
});

const dayMs = 86_400_000;
const days = (count: number) => clock.advance(count * dayMs);
interface Told {
  trash_days?: number;
  submissions_days?: number;
  files_days?: number;
  legal_hold?: boolean;
  revision?: number;
}
/** Handles the event that `forms` sends when the settings of a form change. */
const keep = (form: string, told: Told) =>
  followForms(started.deps, started.deps.files.log, [
    {
      id: newId(),
      type: 'form.keeping_changed',
      instanceId,
      subject: form,
      formId: form,
      occurredAt: clock.now(),
      body: JSON.stringify({ form_id: form, workspace_id: workspaceId, legal_hold: false, ...told }),
    },
  ]);
const decide = (patch: { trash_days?: number; submissions_days?: number; files_days?: number }, set = Object.keys(patch)) =>
  started.client.updateInstanceRetention(callAs(owner), { patch, set });
const expire = async (): Promise<number> => {
  const erased = await eraseExpired(started.deps);
  await finishErasures(started.deps, { watchMs: 0 });
  return erased;
};
const submit = async (form: string, data: object = { name: 'Ada' }) => (await service.submit(form, data)).id;
const retentionOf = (form_id: string, told: Told = {}, as: Caller = viewer) =>
  started.client.getFormRetention(callAs(as), { form_id, days: told });
const inDays = (count: number) => new Date(clock.now().getTime() + count * dayMs).toISOString();
/** A form with a submission that is this many days old. */
const formWithAged = async (age: number) => {
  const form = aForm();
  await submit(form);
  days(age);
  return form;
};

describe('a shortened retention', () => {
  it('of a form erases nothing until its grace is over', async () => {
    const form = await formWithAged(60);
    await keep(form, { submissions_days: 30 });
    days(6.9);
    expect(await expire()).toBe(0);
    days(0.1);
    expect(await expire()).toBe(1);
  });

  it('of the instance erases nothing until its grace is over', async () => {
    await formWithAged(60);
    await decide({ submissions_days: 30 });
    days(6.9);
    expect(await expire()).toBe(0);
    days(0.1);
    expect(await expire()).toBe(1);
  });

  it('holds for the trash and for files too', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    await submit(form, { name: 'Ada', cv: file_id });
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: await submit(form) });
    days(60);
    await keep(form, { trash_days: 30, files_days: 30 });
    expect(await expire()).toBe(0);
    days(7);
    expect(await expire()).toBe(2);
  });

  it('of a form that is undone in time erases nothing', async () => {
    const form = await formWithAged(60);
    await keep(form, { submissions_days: 90 });
    days(7);
    await keep(form, { submissions_days: 30 });
    days(6);
    await keep(form, { submissions_days: 90 });
    days(6);
    expect(await expire()).toBe(0);
  });

  it('of a form that goes over to the days of its instance erases nothing until its grace is over', async () => {
    await decide({ submissions_days: 30 });
    const form = aForm();
    await keep(form, { submissions_days: 365 });
    await submit(form);
    days(60);
    await keep(form, {});
    days(6.9);
    expect(await expire()).toBe(0);
    days(0.1);
    expect(await expire()).toBe(1);
  });

  it('that arrives once more after it was undone is passed over', async () => {
    const form = await formWithAged(60);
    await keep(form, { submissions_days: 30, revision: 1 });
    await keep(form, { revision: 2 });
    await keep(form, { submissions_days: 30, revision: 1 });
    days(8);
    expect(await expire()).toBe(0);
  });

  it('that arrives twice does not begin its grace again', async () => {
    const form = await formWithAged(60);
    await keep(form, { submissions_days: 30, revision: 1 });
    days(6);
    await keep(form, { submissions_days: 30, revision: 1 });
    days(1);
    expect(await expire()).toBe(1);
  });

  it('has its whole grace if the process dies while it is noted, whoever handles it then', async () => {
    const form = await formWithAged(60);
    const breaking = await connectionsDieAt(started.db, 'before update on form_keeping');
    await expect(keep(form, { submissions_days: 30 })).rejects.toThrow();
    await eventually(async () => expect(await breaking.deaths()).toBe(1));
    await breaking.end();
    days(3);
    await keep(form, { submissions_days: 30 });
    days(6.9);
    expect(await expire()).toBe(0);
    days(0.1);
    expect(await expire()).toBe(1);
  });

  it('that an earlier release has written has its grace from the moment at which this one meets it', async () => {
    const form = await formWithAged(60);
    const row = { form_id: form, instance_id: instanceId, workspace_id: workspaceId, legal_hold: false, submissions_days: 30 };
    await started.db('form_keeping').insert(row);
    await started.db('instance_keeping').insert({ instance_id: instanceId, trash_days: 1 });
    days(20);
    expect(await expire()).toBe(0);
    days(6.9);
    expect(await expire()).toBe(0);
    days(0.1);
    expect(await expire()).toBe(1);
    expect((await decide({})).schedule).toMatchObject({ in_force: { trash_days: 1 }, upcoming: [] });
  });
});

describe('the retention of a form', () => {
  it('says what is in force, and from when how much more will be erased', async () => {
    const form = aForm();
    for (const age of [50, 20, 5]) {
      await submit(form);
      days(age);
    }
    // Of 75, 25 and 5 days.
    await keep(form, { submissions_days: 70 });
    days(7);
    expect(await retentionOf(form, { submissions_days: 70 })).toEqual({ in_force: { submissions_days: 70 }, upcoming: [] });
    await keep(form, { submissions_days: 20 });
    // In a week the first is 89 days old, which the days in force erase; the second is 39, and the third 19.
    expect(await retentionOf(form, { submissions_days: 20 })).toEqual({
      in_force: { submissions_days: 70 },
      upcoming: [{ setting: 'submissions_days', days: 20, takes_effect_at: inDays(7), undo_days: 70, erases: 1, erases_more: false }],
    });
    await keep(form, { submissions_days: 20, legal_hold: true });
    expect((await retentionOf(form, { submissions_days: 20 })).upcoming).toMatchObject([{ erases: 0 }]);
  });

  it('counts what is in the trash, and files', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    await submit(form, { name: 'Ada', cv: file_id });
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: await submit(form) });
    await submit(form);
    expect((await retentionOf(form, { trash_days: 1, files_days: 1, submissions_days: 1 })).upcoming).toMatchObject([
      { setting: 'trash_days', erases: 1 },
      { setting: 'submissions_days', erases: 3 },
      { setting: 'files_days', erases: 1 },
    ]);
  });

  it('counts no more than 10,000', async () => {
    const form = aForm();
    const addMany = (count: number) =>
      started.db.raw(
        `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
         select gen_random_uuid(), ?, ?, '{}', 1, 'new', ? from generate_series(1, ?)`,
        [instanceId, form, clock.now(), count],
      );
    await addMany(10_000);
    days(60);
    const counted = async () => (await retentionOf(form, { submissions_days: 30 })).upcoming;
    expect(await counted()).toMatchObject([{ erases: 10_000, erases_more: false }]);
    clock.advance(-60 * dayMs);
    await addMany(1);
    days(60);
    expect(await counted()).toMatchObject([{ erases: 10_000, erases_more: true }]);
  });

  it('counts days of which this service has not heard from now', async () => {
    const form = await formWithAged(60);
    expect(await retentionOf(form, { submissions_days: 30 })).toEqual({
      in_force: {},
      upcoming: [{ setting: 'submissions_days', days: 30, takes_effect_at: inDays(7), erases: 1, erases_more: false }],
    });
  });

  it('is the one of its instance where it has none', async () => {
    const form = await formWithAged(60);
    await decide({ submissions_days: 30 });
    expect(await retentionOf(form)).toMatchObject({ in_force: {}, upcoming: [{ days: 30, undo_days: 36_500, erases: 1 }] });
    days(7);
    expect(await retentionOf(form)).toEqual({ in_force: { submissions_days: 30 }, upcoming: [] });
  });

  it('is for those with a role on the form', async () => {
    await expect(retentionOf(aForm(), {}, outsider)).rejects.toThrow(expect.objectContaining({ code: 'forbidden' }) as Problem);
  });
});

describe('the retention of the instance', () => {
  it('says how much it will erase in all forms that leave it to the instance, to those who run the instance', async () => {
    const [silent, own, held, trashOnly] = [aForm(), aForm(), aForm(), aForm()];
    for (const form of [silent, own, held, trashOnly]) await submit(form);
    await keep(own, { submissions_days: 365 });
    await keep(held, { legal_hold: true });
    await keep(trashOnly, { trash_days: 30 });
    days(60);
    const { schedule } = await decide({ submissions_days: 30 });
    const upcoming = { setting: 'submissions_days', days: 30, takes_effect_at: inDays(7) };
    expect(schedule?.upcoming).toEqual([{ ...upcoming, erases: 2, erases_more: false }]);
    const seen = await started.client.getInstanceRetention(callAs(outsider), {});
    expect(seen.schedule?.upcoming).toEqual([upcoming]);
  });

  it('is undone by the days before, at once', async () => {
    await decide({ submissions_days: 90 });
    days(7);
    expect((await decide({ submissions_days: 30 })).schedule).toMatchObject({
      in_force: { submissions_days: 90 },
      upcoming: [{ days: 30, undo_days: 90 }],
    });
    expect((await decide({ submissions_days: 90 })).schedule).toEqual({ in_force: { submissions_days: 90 }, upcoming: [] });
  });
});
