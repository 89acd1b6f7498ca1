import { newId, type Client as Person } from '@sheaf/kernel';
import { callAs, connectionsDieAt, eventually, refused } from '@sheaf/testing';
import {
  access,
  client,
  create,
  db,
  duplicate,
  editor,
  get,
  getSettings,
  grant,
  owner,
  patch,
  publish,
  putDraft,
  putSettings,
  text,
  trash,
  useService,
  viewer,
} from './stage';

useService();

const erase = (id: string, as: Person = owner) => client.eraseForm(callAs(as), { id });
const eventsOf = async (...subjects: string[]) =>
  (
    await db<{ subject: string; type: string; body: string; position: number }>('outbox').whereIn('subject', subjects).orderBy('position')
  ).map(({ type, body }) => [type, JSON.parse(body) as Record<string, unknown>] as const);
const tablesWith = async (id: string): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: with_ } = await db.raw<{ rows: unknown[] }>('select from ?? as r where r::text like ? limit 1', [name, `%${id}%`]);
    if (with_.length > 0) found.push(name);
  }
  return found;
};

/** A form with a version, a grant, a favourite and settings, in the trash. */
async function trashedForm(): Promise<string> {
  const { id } = await create('Survey', owner);
  await publish(id, owner);
  await publish(id, owner);
  await grant(id, viewer, 'editor');
  await patch(id, { favorite: true, slug: `slug-${id}` }, owner);
  await putSettings(id, { description: 'About you', retention: { trash_days: 30 } }, owner);
  await trash(id);
  return id;
}

describe('an erased form', () => {
  it('leaves nothing but events, and the reservation of its slug', async () => {
    const id = await trashedForm();
    await erase(id);
    expect((await tablesWith(id)).filter((table) => table !== 'outbox')).toEqual(['vacated_slug']);
    await expect(get(id, owner)).rejects.toEqual(refused('not_found'));
    await expect(access(id, owner)).rejects.toEqual(refused('not_found'));
    const { id: other } = await create('Another', owner);
    await expect(patch(other, { slug: `slug-${id}` }, owner)).rejects.toEqual(refused('bad_request'));
  });

  it('is announced to the services that have copies, and to the audit log', async () => {
    const id = await trashedForm();
    const { erasure_id } = await erase(id);
    expect((await eventsOf(id)).slice(-2)).toMatchObject([
      ['form.erased', { erasure_id, form_id: id }],
      ['audit.recorded', { action: 'form.erased', details: { erasure: erasure_id } }],
    ]);
    expect(await eventsOf(erasure_id)).toMatchObject([
      ['erasure.begun', { kind: 'form', target_id: id, awaited: ['forms', 'submissions', 'hooks', 'delivery'] }],
      ['erasure.confirmed', { service: 'forms', counts: { forms: 1 } }],
    ]);
  });

  it('has to be in the trash, and not under legal hold', async () => {
    const { id } = await create('Survey', owner);
    await expect(erase(id)).rejects.toEqual(refused('conflict'));
    await trash(id);
    await putSettings(id, { legal_hold: true }, owner);
    await expect(erase(id)).rejects.toEqual(refused('conflict'));
    await putSettings(id, { legal_hold: false }, owner);
    await erase(id);
  });

  it('is erased by its owners only', async () => {
    const id = await trashedForm();
    await expect(erase(id, editor)).rejects.toEqual(refused('forbidden'));
    await expect(erase(newId())).rejects.toEqual(refused('not_found'));
  });

  it.each(['before delete on version', 'before delete on form', 'before insert on outbox'])(
    'is there as before if the process died %s',
    async (point) => {
      const id = await trashedForm();
      const breaking = await connectionsDieAt(db, point);
      await expect(erase(id)).rejects.toMatchObject({ code: 'unavailable' });
      await eventually(async () => expect(await breaking.deaths()).toBe(1));
      await breaking.end();
      await expect(get(id, owner)).resolves.toMatchObject({ current_version: 2 });
      await erase(id);
    },
  );

  it('is the only way in which a version can be deleted', async () => {
    const id = await trashedForm();
    await expect(db('version').where({ form_id: id }).delete()).rejects.toThrow('a published version is immutable');
  });
});

describe('overwritten content of a form', () => {
  const keptOf = async (form_id: string) => {
    const rows = await db<{ table_name: string; contents: string; form_id: string; place: number }>('kept_under_hold')
      .where({ form_id })
      .orderBy('place');
    return rows.map(({ table_name, contents }) => [table_name, JSON.parse(contents) as object]);
  };
  const change = async (id: string, revision: number, title: string) => {
    await putDraft(id, [text(`field_${revision}`)], revision, owner);
    await putSettings(id, { description: title }, owner);
    await patch(id, { title, closed_message: title }, owner);
  };

  it('is kept under legal hold, and only then', async () => {
    const { id } = await create('First', owner);
    await change(id, 0, 'Second');
    expect(await keptOf(id)).toEqual([]);
    await putSettings(id, { legal_hold: true }, owner);
    await change(id, 1, 'Third');
    // Nothing of these is overwritten.
    await publish(id, owner);
    await putDraft(id, [text('field_1')], 2, owner);
    await patch(id, { title: 'Third' }, owner);
    const before = [
      ['draft', { fields: expect.stringContaining('field_0') as string, revision: 1 }],
      ['form_settings', { settings: JSON.stringify({ description: 'Second' }) }],
      ['form', { title: 'Second', closed_message: 'Second' }],
    ];
    expect(await keptOf(id)).toMatchObject(before);
    await putSettings(id, { legal_hold: null }, owner);
    await change(id, 3, 'Fourth');
    expect(await keptOf(id)).toMatchObject(before);
  });

  it('is erased with the form', async () => {
    const { id } = await create('First', owner);
    await putSettings(id, { legal_hold: true }, owner);
    await change(id, 0, 'Second');
    expect(await keptOf(id)).toHaveLength(2);
    await trash(id);
    await putSettings(id, { legal_hold: null }, owner);
    await erase(id);
    expect(await keptOf(id)).toEqual([]);
  });
});

describe('how long a form keeps submissions', () => {
  it('is decided by owners, replaced as a whole, and told to the service of submissions', async () => {
    const { id } = await create('Survey', owner);
    expect(await putSettings(id, { retention: { trash_days: 30, files_days: 90 } }, owner)).toMatchObject({
      retention: { trash_days: 30, files_days: 90 },
    });
    expect(await putSettings(id, { retention: { submissions_days: 365 }, legal_hold: true }, owner)).toMatchObject({
      retention: { submissions_days: 365 },
      legal_hold: true,
    });
    await putSettings(id, { retention: null }, owner);
    expect(await getSettings(id, viewer)).toEqual({ legal_hold: true });
    await expect(putSettings(id, { legal_hold: false }, editor)).rejects.toEqual(refused('forbidden'));
    await expect(putSettings(id, { retention: {} }, owner)).rejects.toEqual(refused('bad_request'));
    await expect(putSettings(id, { retention: { trash_days: 0 } }, owner)).rejects.toEqual(refused('bad_request'));

    const told = (await eventsOf(id)).flatMap(([type, body]) => (type === 'form.keeping_changed' ? [body] : []));
    expect(told).toMatchObject([
      { legal_hold: false, trash_days: 30, files_days: 90, revision: 1 },
      { legal_hold: true, submissions_days: 365, revision: 2 },
      { legal_hold: true, revision: 3 },
    ]);
    expect(told[2]).not.toHaveProperty('submissions_days');
    expect(await access(id)).toMatchObject({ legal_hold: true });
  });

  it('is the same for a copy of the form, but not its legal hold, and respondents see neither', async () => {
    const { id } = await create('Survey', owner);
    await putSettings(id, { retention: { trash_days: 7 }, legal_hold: true }, owner);
    await publish(id, owner);
    const { id: copy } = await duplicate(id, owner);
    expect(await getSettings(copy, owner)).toEqual({ retention: { trash_days: 7 } });
    expect(await eventsOf(copy)).toEqual(
      expect.arrayContaining([['form.keeping_changed', expect.objectContaining({ legal_hold: false, trash_days: 7 })]]),
    );
    const { settings } = await client.getPublishedForm(callAs({ kind: 'respondent', instanceId: owner.instanceId }), { form: id });
    expect(JSON.parse(settings.toString())).toEqual({});
  });

  it('tells the service of submissions whether it can be searched, which editors decide, and so does a copy', async () => {
    const { id } = await create('Survey', owner);
    expect(await putSettings(id, { searchable: false }, editor)).toMatchObject({ searchable: false });
    expect(await getSettings(id, viewer)).toEqual({ searchable: false });
    await expect(putSettings(id, { searchable: true }, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(putSettings(id, { searchable: false, legal_hold: true }, editor)).rejects.toEqual(refused('forbidden'));
    await expect(putSettings(id, { searchable: 'no' }, owner)).rejects.toEqual(refused('bad_request'));
    await publish(id, owner);
    const { id: copy } = await duplicate(id, owner);
    expect(await getSettings(copy, owner)).toEqual({ searchable: false });
    const { settings } = await client.getPublishedForm(callAs({ kind: 'respondent', instanceId: owner.instanceId }), { form: id });
    expect(JSON.parse(settings.toString())).toEqual({});
    expect(await putSettings(id, { searchable: null }, editor)).toEqual({});
    const told = async (form: string) =>
      (await eventsOf(form)).flatMap(([type, body]) =>
        type === 'form.keeping_changed' ? [(body as { searchable?: boolean }).searchable] : [],
      );
    expect(await told(id)).toEqual([false, true]);
    expect(await told(copy)).toEqual([false]);
    await trash(id);
    await expect(putSettings(id, { searchable: false }, owner)).rejects.toEqual(refused('bad_request', /in the trash/));
  });
});
