import type { Field } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import type { Client, FormsDefinition } from '@sheaf/rpc';
import { aServiceAccount, aUser, callAs, TestClock } from '@sheaf/testing';
import { repeatsOfAllVersions } from '../src/publishing/versions.queries';
import { startService, type Service } from './service';

const instanceId = newId();
const workspaceId = newId();
const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });

let service: Service;
let client: Client<FormsDefinition>;
beforeAll(async () => {
  service = await startService(new TestClock());
  ({ client } = service);
});
afterAll(() => service.stop());

async function aForm(...versions: string[][]): Promise<string> {
  const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
  for (const [revision, keys] of versions.entries()) {
    const fields = keys.map((key) => ({ key, label: 'Label', type: 'short_text' }));
    await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
    await client.publishForm(callAs(editor), { id });
  }
  return id;
}
const keysOf = async (form_id: string, as = editor) => (await client.listFieldKeys(callAs(as), { form_id })).keys;

describe('the keys of all versions', () => {
  it('are those of the latest version in its order, then the removed ones, the most recently removed first', async () => {
    expect(await keysOf(await aForm(['a', 'b'], ['c', 'e', 'a'], ['d', 'a']))).toEqual(['d', 'a', 'c', 'e', 'b']);
  });

  it('leave out pages, sections and statements, which have none', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const items = [
      { type: 'page', label: 'First' },
      { key: 'a', label: 'A', type: 'short_text' },
      { type: 'section', label: 'Second' },
    ];
    await client.putDraft(callAs(editor), { id, revision: 0, fields: Buffer.from(JSON.stringify(items)) });
    await client.publishForm(callAs(editor), { id });
    expect(await keysOf(id)).toEqual(['a']);
    expect((await client.listFields(callAs(editor), { id })).fields).toMatchObject([{ key: 'a', type: 'string' }]);
  });

  it('come with the fields, and those that only the draft has, if these are wanted', async () => {
    const id = await aForm(['a', 'b'], ['a']);
    const draft = ['a', 'new'].map((key) => ({ key, label: `Now ${key}`, type: 'short_text' }));
    await client.putDraft(callAs(editor), { id, revision: 2, fields: Buffer.from(JSON.stringify(draft)) });
    const { keys, fields } = await client.listFieldKeys(callAs(editor), { form_id: id, fields: true });
    expect(keys).toEqual(['a', 'b']);
    expect(JSON.parse(fields.toString())).toMatchObject([
      { key: 'a', label: 'Label' },
      { key: 'b', label: 'Label' },
      { key: 'new', label: 'Now new' },
    ]);
  });

  it('come with the labels of the newest version that has the field, if these are wanted', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const colour = (label: string, red: string) => ({
      key: 'colour',
      label,
      type: 'select',
      options: [{ value: 'r', label: red }, 'g'],
      translations: { fr: { options: { r: 'Rouge' } } },
    });
    const name = { key: 'name', label: 'Name', type: 'short_text', visible_if: { key: 'colour', equals: 'r' } };
    for (const [revision, fields] of [[colour('Color', 'Rot'), name], [colour('Colour', 'Red')]].entries()) {
      await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
      await client.publishForm(callAs(editor), { id });
    }
    expect(await client.listFieldKeys(callAs(editor), { form_id: id, labels: true })).toEqual({
      fields: Buffer.alloc(0),
      keys: ['colour', 'name'],
      labels: [
        {
          key: 'colour',
          label: 'Colour',
          options: { r: 'Red', g: 'g' },
          type: 'select',
          values: ['r', 'g'],
          translated_options: [{ value: 'r', label: 'Rouge' }],
          types: [],
          parts: [],
        },
        { key: 'name', label: 'Name', options: {}, type: 'short_text', values: [], translated_options: [], types: [], parts: [] },
      ],
      languages: [],
      unordered: ['colour', 'name'],
      title: 'Survey',
    });
  });

  it('have labels in the language that is wanted, as far as they are translated', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const colour = {
      key: 'colour',
      label: 'Colour',
      type: 'select',
      options: [
        { value: '2', label: 'Red' },
        { value: '1', label: 'Green' },
      ],
      translations: { 'de-AT': { label: 'Farbe', options: { 2: 'Rot' } }, 'en-GB': { label: 'The colour' } },
    };
    await client.putDraft(callAs(editor), { id, revision: 0, fields: Buffer.from(JSON.stringify([colour])) });
    await client.publishForm(callAs(editor), { id });
    const patch = Buffer.from(JSON.stringify({ default_language: 'en', languages: ['en', 'de-AT', 'en-GB'] }));
    await client.updateFormSettings(callAs(editor), { id, patch });
    const inLanguage = async (language: string) =>
      (await client.listFieldKeys(callAs(editor), { form_id: id, labels: true, language })).labels[0];
    expect(await client.listFieldKeys(callAs(editor), { form_id: id, labels: true })).toMatchObject({ written_in: 'en' });
    expect(await inLanguage('de')).toMatchObject({ label: 'Farbe', options: { 2: 'Rot', 1: 'Green' }, values: ['2', '1'] });
    expect(await inLanguage('en-US')).toMatchObject({ label: 'Colour' });
    expect(await inLanguage('en-GB')).toMatchObject({ label: 'The colour' });
    expect(await inLanguage('fr')).toMatchObject({ label: 'Colour', options: { 2: 'Red', 1: 'Green' } });
  });

  it('tell the types of a field that had another one, with the versions of each', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    for (const [revision, type] of ['number', 'short_text', 'number'].entries()) {
      const fields = [{ key: 'a', label: 'A', type }, ...(revision === 0 ? [] : [{ key: 'b', label: 'B', type: 'date' }])];
      await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
      await client.publishForm(callAs(editor), { id });
    }
    const { labels } = await client.listFieldKeys(callAs(editor), { form_id: id, labels: true });
    expect(labels.map(({ key, types }) => [key, types])).toEqual([
      [
        'a',
        [
          { type: 'number', versions: [1, 3] },
          { type: 'short_text', versions: [2] },
        ],
      ],
      ['b', []],
    ]);
  });

  it('come with the fields in the items of a repeat in all versions, each with options of its own', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const choice = (key: string, options: Record<string, string>, more: object = {}) => ({
      ...{ key, label: `Which ${key}?`, type: 'select', ...more },
      options: Object.entries(options).map(([value, label]) => ({ value, label })),
    });
    const versions = [
      [choice('meal', { fish: 'Fish', yes: 'Vegetable' }), choice('age', { yes: 'Adult' })],
      [
        choice('meal', { yes: 'Vegetarian', no: 'Anything' }, { translations: { de: { options: { yes: 'Vegetarisch' } } } }),
        choice('hotel', { yes: 'Needs a room' }, { translations: { de: { options: { yes: 'Braucht ein Zimmer' } } } }),
      ],
    ];
    for (const [revision, fields] of versions.entries()) {
      const draft = [{ key: 'guests', label: 'Guests', type: 'repeat', fields }];
      await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(draft)) });
      await client.publishForm(callAs(editor), { id });
    }
    const inLanguage = async (language?: string) => {
      const { labels } = await client.listFieldKeys(callAs(editor), { form_id: id, labels: true, language });
      return labels.map(({ options, values, parts }) => [
        ...[options, values],
        parts.map(({ name, options: own }) => [name, ...own.map(({ value, label }) => `${value}: ${label}`)]),
      ]);
    };
    expect(await inLanguage()).toEqual([
      [
        {},
        [],
        [
          ['meal', 'yes: Vegetarian', 'no: Anything', 'fish: Fish'],
          ['hotel', 'yes: Needs a room'],
          ['age', 'yes: Adult'],
        ],
      ],
    ]);
    expect(await inLanguage('de')).toEqual([
      [
        {},
        [],
        [
          ['meal', 'yes: Vegetarisch', 'no: Anything', 'fish: Fish'],
          ['hotel', 'yes: Braucht ein Zimmer'],
          ['age', 'yes: Adult'],
        ],
      ],
    ]);
  });

  it('have no columns of a matrix as options once they are of another type', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const choices = [{ value: 'good', label: 'Good' }];
    const versions = [{ type: 'matrix', rows: choices, columns: choices }, { type: 'short_text' }];
    for (const [revision, more] of versions.entries()) {
      const fields = Buffer.from(JSON.stringify([{ key: 'looks', label: 'Looks', ...more }]));
      await client.putDraft(callAs(editor), { id, revision, fields });
      await client.publishForm(callAs(editor), { id });
    }
    const { labels } = await client.listFieldKeys(callAs(editor), { form_id: id, labels: true });
    expect(labels).toMatchObject([{ key: 'looks', type: 'short_text', options: {}, values: [] }]);
  });

  it('come with the rows and columns of a matrix in all versions, those of the newest first, each as the newest that has it calls it', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const named = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }));
    const looks = (rows: Record<string, string>, more: object = {}) => ({
      ...{ key: 'looks', label: 'Looks', type: 'matrix', rows: named(rows), columns: named({ bad: 'Bad', good: 'Good' }), ...more },
    });
    const versions = [
      [
        looks({ front: 'Face', side: 'Side' }, { columns: named({ fair: 'Fair', good: 'Fine' }) }),
        { key: 'stay', label: 'Stay', type: 'date_range' },
      ],
      [looks({ back: 'Back', front: 'Front' }, { multiple: true, translations: { de: { rows: { back: 'Rückseite' } } } })],
    ];
    for (const [revision, fields] of versions.entries()) {
      await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
      await client.publishForm(callAs(editor), { id });
    }
    const inLanguage = async (language?: string) => {
      const { labels } = await client.listFieldKeys(callAs(editor), { form_id: id, labels: true, language });
      return labels.map(({ key, options, parts }) => [key, options, parts.map(({ name, kind, label }) => [name, kind, label])]);
    };
    const columns = { bad: 'Bad', good: 'Good', fair: 'Fair' };
    expect(await inLanguage()).toEqual([
      [
        ...['looks', columns],
        [
          ['back', 'options', 'Back'],
          ['front', 'options', 'Front'],
          ['side', 'option', 'Side'],
        ],
      ],
      [
        ...['stay', {}],
        [
          ['from', 'date', undefined],
          ['to', 'date', undefined],
        ],
      ],
    ]);
    expect((await inLanguage('de'))[0]?.[2]).toMatchObject([
      ['back', 'options', 'Rückseite'],
      ['front', 'options', 'Front'],
      ['side', 'option', 'Side'],
    ]);
  });

  it('come with each field in the items of a repeat once, as the newest version has it', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const meal = (label: string, values: string[], more: object = {}) => ({ key: 'meal', label, type: 'select', options: values, ...more });
    const fish = { value: 'fish', label: 'Fish', visible_if: { key: 'name', equals: 'Ann' } };
    const many = (from: number) => Array.from({ length: 600 }, (_, at) => `${from + at}`);
    const versions = [
      [
        { key: 'name', label: 'Name', type: 'short_text' },
        { ...meal('Food', []), options: [fish, ...many(0)] },
      ],
      [
        meal('Meal', many(600), { translations: { de: { label: 'Essen' } } }),
        { key: 'age', label: 'Age', type: 'integer', required: true },
      ],
      [meal('Meal?', ['600'], { translations: { de: { label: 'Essen?' } } })],
    ];
    for (const [revision, fields] of versions.entries()) {
      const draft = [{ key: 'guests', label: 'Guests', type: 'repeat', max: 3, fields }];
      await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(draft)) });
      await client.publishForm(callAs(editor), { id });
    }
    const partsIn = async (language?: string) => {
      const { labels } = await client.listFieldKeys(callAs(editor), { form_id: id, labels: true, language });
      return labels.map(({ parts }) => parts.map(({ name, kind, label }) => [name, kind, label]));
    };
    const others = [
      ['age', 'whole', 'Age'],
      ['name', 'text', 'Name'],
    ];
    expect(await partsIn()).toEqual([[['meal', 'option', 'Meal?'], ...others]]);
    expect(await partsIn('de')).toEqual([[['meal', 'option', 'Essen?'], ...others]]);
    const read = await repeatsOfAllVersions(service.db, id);
    expect(read.map(({ field }) => (JSON.parse(field) as Field).fields?.map(({ key }) => key))).toEqual([['meal'], ['age'], ['name']]);
    const { options = [] } = (JSON.parse(read[0]?.field ?? '{}') as Field).fields?.[0] ?? {};
    expect([options.length, options[0]?.value]).toEqual([1_000, '600']);
  });

  it('tell whose answers have no order in the newest version that has the field', async () => {
    const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
    const field = (key: string, type: string) => ({ key, label: key, type });
    const versions = [
      [field('a', 'number'), field('b', 'short_text'), field('c', 'date')],
      [field('a', 'short_text'), field('b', 'integer'), field('d', 'boolean')],
    ];
    for (const [revision, fields] of versions.entries()) {
      await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
      await client.publishForm(callAs(editor), { id });
    }
    expect((await client.listFieldKeys(callAs(editor), { form_id: id })).unordered).toEqual(['a', 'd']);
  });

  it('are empty before the first publication', async () => {
    expect(await keysOf(await aForm())).toEqual([]);
  });

  it('are readable with any role on the form, and a form in another instance is not found', async () => {
    const form = await aForm(['a']);
    expect(await keysOf(form, aUser({ instanceId, roles: { [workspaceId]: 'viewer' } }))).toEqual(['a']);
    await expect(client.listFieldKeys(callAs(aServiceAccount({ instanceId })), { form_id: form })).resolves.toEqual({
      fields: Buffer.alloc(0),
      keys: ['a'],
      labels: [],
      title: '',
      languages: [],
      unordered: ['a'],
    });
    await expect(keysOf(form, aUser({ instanceId }))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(keysOf(form, aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
