import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import {
  client,
  clock,
  create,
  db,
  editor,
  get,
  getDraft,
  json,
  later,
  listFields,
  useService,
  owner,
  patch,
  publish,
  published,
  putDraft,
  robot,
  text,
  viewer,
} from './stage';

useService();

describe('a draft', () => {
  it('is replaced as a whole and gets the next revision', async () => {
    const { id } = await create();
    later();

    const saved = await putDraft(id, [{ key: 'size', label: ' Size ', type: 'select', options: ['S', 'M'], nonsense: 1 }]);

    expect(saved).toMatchObject({ revision: 1, updated_at: clock.now().toISOString() });
    expect(json(saved.fields)).toEqual([
      {
        key: 'size',
        label: 'Size',
        type: 'select',
        required: false,
        options: [
          { value: 'S', label: 'S' },
          { value: 'M', label: 'M' },
        ],
      },
    ]);
    await expect(getDraft(id, robot)).resolves.toEqual(saved);
    await expect(get(id)).resolves.toMatchObject({ current_version: 0, updated_at: clock.now().toISOString() });
  });

  it('is not overwritten from an older revision', async () => {
    const { id } = await create();
    await putDraft(id, [text('a')]);

    await expect(putDraft(id, [text('b')])).rejects.toEqual(refused('conflict'));
    await expect(putDraft(id, [text('b')], 2_147_483_647)).rejects.toEqual(refused('conflict'));
    expect(json((await getDraft(id)).fields)).toMatchObject([{ key: 'a' }]);
  });

  it('is saved by only one of two concurrent requests', async () => {
    const { id } = await create();
    const outcomes = await Promise.allSettled([putDraft(id, [text('a')]), putDraft(id, [text('b')], 0, owner)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(getDraft(id)).resolves.toMatchObject({ revision: 1 });
  });

  it('is refused with all of its faults, in the message and in details', async () => {
    const { id } = await create();

    await expect(putDraft(id, [text('a'), { ...text('a'), options: ['x'] }, { ...text('b'), pattern: '(?=x)' }])).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/fields\.1\.key: .*; fields\.1\.options: .*; fields\.2\.pattern: /) as unknown,
      details: [{ key: 'fields.1.key' }, { key: 'fields.1.options' }, { key: 'fields.2.pattern' }],
    });
    await expect(client.putDraft(callAs(editor), { id, revision: 0, fields: Buffer.from('{') })).rejects.toEqual(
      refused('bad_request', 'fields: must be JSON'),
    );
    await expect(putDraft(id, [{ key: 1, type: 'email' }])).rejects.toMatchObject({
      message: 'fields.0.key: must be a string',
      details: [{ key: 'fields.0.key' }, { key: 'fields.0.label' }],
    });
    await expect(getDraft(id)).resolves.toMatchObject({ revision: 0 });
  });

  it('names the valid types if one is unknown', async () => {
    const { id } = await create();
    await expect(putDraft(id, [{ key: 'a', label: 'A', type: 'essay' }])).rejects.toEqual(
      refused(
        'bad_request',
        /^fields\.0\.type: must be one of short_text, .*, hidden, calculated, repeat, page, section, statement, check, ending$/,
      ),
    );
  });

  it('may be as large as the contract allows', async () => {
    const { id } = await create();
    await putDraft(
      id,
      Array.from({ length: 500 }, (_, index) => ({ ...text(`f${index}`), help: 'ä'.repeat(2_000) })),
    );
    expect(json((await getDraft(id)).fields)).toHaveLength(500);
  });
});

describe('publishing', () => {
  it('always creates the next version from the draft', async () => {
    const { id } = await create();
    await putDraft(id, [text('name')]);
    later();

    await expect(publish(id)).resolves.toEqual({ version: 1, published_at: clock.now().toISOString(), warnings: [] });
    await expect(publish(id)).resolves.toMatchObject({ version: 2, warnings: ['Nothing has changed since version 1.'] });
    await expect(get(id)).resolves.toMatchObject({ current_version: 2, updated_at: clock.now().toISOString() });
  });

  it('warns of changes that affect answers', async () => {
    const { id } = await create();
    await expect(publish(id)).resolves.toMatchObject({ version: 1, warnings: ['The form has no fields.'] });
    await putDraft(id, [text('name'), text('age')]);
    await publish(id);
    await putDraft(id, [{ ...text('age'), type: 'integer' }], 1);

    await expect(publish(id)).resolves.toMatchObject({
      version: 3,
      warnings: [expect.stringContaining('"name"'), expect.stringContaining('"age"')] as unknown,
    });
  });

  it('records the publisher', async () => {
    const { id } = await create();
    await publish(id, robot);
    await expect(db('version').where({ form_id: id }).first('published_by_kind', 'published_by_id')).resolves.toEqual({
      published_by_kind: 'service_account',
      published_by_id: robot.id,
    });
  });

  it('refuses a draft that no longer satisfies the rules', async () => {
    const { id } = await create();
    await db('draft')
      .where({ form_id: id })
      .update({ fields: JSON.stringify([{ ...text('a'), type: 'select' }]), revision: 1 });

    await expect(publish(id)).rejects.toEqual(refused('bad_request', 'fields.0.options: is required for the type select'));
    await expect(patch(id, { publish_mode: 'auto' })).rejects.toEqual(refused('bad_request'));
    await expect(get(id)).resolves.toMatchObject({ current_version: 0, publish_mode: 'draft' });
  });

  it('gives twenty concurrent publications twenty different numbers', async () => {
    const { id } = await create();
    const versions = (await Promise.all(Array.from({ length: 20 }, () => publish(id)))).map(({ version }) => version);

    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await expect(get(id)).resolves.toMatchObject({ current_version: 20 });
  });

  it('happens automatically in the mode "auto" when the draft is saved', async () => {
    const { id } = await create();
    await patch(id, { publish_mode: 'auto' });
    await expect(get(id)).resolves.toMatchObject({ current_version: 0 });

    await putDraft(id, [text('a')]);
    await expect(get(id)).resolves.toMatchObject({ current_version: 1 });
    await putDraft(id, [text('b')], 1);
    await expect(listFields(id)).resolves.toMatchObject({ fields: [{ key: 'b' }] });
    await putDraft(id, [text('b')], 2);
    await expect(get(id)).resolves.toMatchObject({ current_version: 2 });
  });

  it('happens when the mode becomes "auto" if changes are pending', async () => {
    const { id } = await create();
    await putDraft(id, [text('a')]);

    await expect(patch(id, { publish_mode: 'auto' })).resolves.toMatchObject({ publish_mode: 'auto', current_version: 1 });
    await patch(id, { publish_mode: 'draft' });
    await expect(patch(id, { publish_mode: 'auto' })).resolves.toMatchObject({ current_version: 1 });
    await patch(id, { publish_mode: 'draft' });
    await putDraft(id, [text('b')], 1);
    await expect(patch(id, { publish_mode: 'auto' })).resolves.toMatchObject({ current_version: 2 });
  });
});

describe('published fields', () => {
  it('are empty before the first publication', async () => {
    const { id } = await create();
    await putDraft(id, [text('a')]);
    await expect(listFields(id)).resolves.toEqual({ form_id: id, fields: [] });
  });

  it('are described in the four types of v1', async () => {
    const { id } = await create();
    const types = ['short_text', 'rating', 'boolean', 'multi_select'];
    await putDraft(
      id,
      types.map((type) => ({ key: type, label: 'L', type, required: true, ...(type === 'multi_select' ? { options: ['x'] } : {}) })),
    );
    await publish(id);
    await putDraft(id, [], 1);

    await expect(listFields(id, viewer)).resolves.toEqual({
      form_id: id,
      fields: [
        ['short_text', 'string'],
        ['rating', 'number'],
        ['boolean', 'boolean'],
        ['multi_select', 'string'],
      ].map(([key, type]) => ({ key, label: 'L', type, required: true })),
    });
  });
});

describe('a published form', () => {
  it('is the latest version with the facts that decide whether it is open, by id and by slug', async () => {
    const { id } = await create('Survey');
    await putDraft(id, [text('a')]);
    await expect(published(id)).rejects.toEqual(refused('not_found'));
    await publish(id);
    await putDraft(id, [text('b')], 1);
    await patch(id, {
      slug: 'survey',
      status: 'disabled',
      opens_at: '2026-07-01T00:00:00Z',
      closes_at: '2026-08-01T00:00:00Z',
      max_submissions: 0,
      closed_message: 'Closed',
    });

    const form = await published('survey');

    const { fields, ...rest } = form;
    expect(json(fields)).toEqual([text('a')]);
    expect(rest).toEqual({
      id,
      title: 'Survey',
      status: 'disabled',
      version: 1,
      version_id: expect.any(String) as string,
      published_at: clock.now().toISOString(),
      opens_at: '2026-07-01T00:00:00.000Z',
      closes_at: '2026-08-01T00:00:00.000Z',
      max_submissions: 0,
      closed_message: 'Closed',
      payment: null,
      settings: Buffer.from('{}'),
    });
    await expect(published(id)).resolves.toEqual(form);
    await expect(published(id, owner)).resolves.toEqual(form);
    await expect(published('survey', { kind: 'respondent', instanceId: newId() })).rejects.toEqual(refused('not_found'));
  });

  it('omits settings that are not set', async () => {
    const { id } = await create('Survey');
    await publish(id);
    await expect(published(id)).resolves.toEqual({
      id,
      title: 'Survey',
      status: 'active',
      version: 1,
      version_id: expect.any(String) as string,
      published_at: clock.now().toISOString(),
      fields: Buffer.from('[]'),
      payment: null,
      settings: Buffer.from('{}'),
    });
  });
});
