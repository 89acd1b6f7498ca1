import { newId, type Client } from '@sheaf/kernel';
import { aServiceAccount, callAs, propertyRuns, refused } from '@sheaf/testing';
import fc from 'fast-check';
import * as stage from './stage';
import {
  client,
  create,
  editor,
  folderIn,
  get,
  getDraft,
  json,
  outsider,
  patch,
  publish,
  putDraft,
  putSettings,
  robot,
  text,
  viewer,
} from './stage';

stage.useService();

const { workspaceId } = stage;
const exported = async (id: string, as: Client = editor) =>
  json((await client.getFormDocument(callAs(as), { id })).document) as Record<string, unknown>;
const imported = async (document: unknown, as: Client = editor, place: { workspace_id?: string; folder_id?: string } = {}) =>
  client.importForm(callAs(as), { workspace_id: workspaceId, ...place, document: Buffer.from(JSON.stringify(document)) });
const empty = { sheaf: 'form', version: 1, title: 'Survey', fields: [], settings: {} };
const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;

const label = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }).map((text) => `L${text.trim()}`);
const field = fc.oneof(
  fc.record({ type: fc.constantFrom('short_text', 'email', 'date', 'file'), label, required: fc.boolean() }),
  fc.record({ type: fc.constant('integer'), label, required: fc.boolean(), min: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ type: fc.constant('select'), label, required: fc.boolean(), options: fc.constant([{ value: 'a', label: 'A' }]) }),
);
const document = fc.record(
  {
    sheaf: fc.constant('form'),
    version: fc.constant(1),
    title: label,
    fields: fc.array(field, { maxLength: 6 }).map((fields) => fields.map((one, index) => ({ key: `key_${index}`, ...one }))),
    settings: fc.record(
      {
        description: fc.string({ maxLength: 50 }).filter((text) => !text.includes('\0')),
        languages: fc.constant(['en', 'de']),
        theme: fc.constantFrom({ accent: '#7f1d1d' }, { logo: png }),
        resume: fc.record({ days: fc.integer({ min: 1, max: 90 }) }),
      },
      { requiredKeys: [] },
    ),
    payment: fc.record({ amount: fc.integer({ min: 1, max: 10_000 }), currency: fc.constantFrom('eur', 'usd') }),
    publish_mode: fc.constantFrom('draft', 'auto'),
    opens_at: fc.constant('2026-03-09T08:00:00.000Z'),
    closes_at: fc.constant('2026-03-31T22:00:00.000Z'),
    max_submissions: fc.nat(),
    closed_message: fc.constant('Back on Monday'),
    timezone: fc.constant('Europe/Vienna'),
  },
  { requiredKeys: ['sheaf', 'version', 'title', 'fields', 'settings', 'publish_mode'] },
);

describe('a document', () => {
  it('is the same after it was imported and exported again', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (given) => {
        expect(await exported((await imported(given)).id)).toEqual(given);
      }),
      propertyRuns(40),
    );
  });

  it('can be imported as it was exported, whatever its thank-you names', async () => {
    const { id } = await create('Visit');
    await putDraft(id, [text('a'), text('b')]);
    await publish(id);
    await putDraft(id, [text('a'), text('c')], 1);
    await putSettings(id, { thank_you: { text: 'Bye {{b}}, {{c|friend}}' } });
    await publish(id);
    await putDraft(id, [text('d')], 2);
    for (const document of [await exported(id), await exported(id, viewer)])
      expect(await exported((await imported(document)).id)).toEqual(document);
    // A release that knows no answers in texts has stored it so.
    await imported({ ...empty, settings: { thank_you: { text: 'Bye {{name}}' } } });
  });

  it('has the content and settings of a form, but no ids, slug, people and secrets', async () => {
    const { id } = await create('Visit');
    await putDraft(id, [text('name')]);
    await patch(id, { slug: `visit-${id}`, closed_message: 'Closed', folder_id: folderIn() });
    await putSettings(id, { description: 'About your visit' });
    expect(await exported(id)).toEqual({
      ...empty,
      title: 'Visit',
      fields: [text('name')],
      settings: { description: 'About your visit' },
      publish_mode: 'draft',
      closed_message: 'Closed',
    });
  });

  it('has the draft for editors and the published version for viewers', async () => {
    const { id } = await create();
    await putDraft(id, [text('a')]);
    expect(await exported(id, viewer)).toMatchObject({ fields: [] });
    await publish(id);
    await putDraft(id, [text('b')], 1);
    expect(await exported(id, viewer)).toMatchObject({ fields: [text('a')] });
    for (const as of [editor, robot]) expect(await exported(id, as)).toMatchObject({ fields: [text('b')] });
    await expect(exported(id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(exported(newId())).rejects.toEqual(refused('not_found'));
  });

  it('comes out as an XLSForm too, for the same people, under the name of the form’s address', async () => {
    const { id } = await create();
    await patch(id, { slug: `visit-${id}` });
    await putDraft(id, [text('a')]);
    await publish(id);
    await putDraft(id, [text('b')], 1);
    const asXlsForm = (as: Client) => client.getFormXlsForm(callAs(as), { id });
    const keysFor = async (as: Client) => {
      const { name, file } = await asXlsForm(as);
      expect(name).toBe(`visit-${id}`);
      const { form } = await client.importXlsForm(callAs(editor), { workspace_id: workspaceId, file });
      const { fields } = await exported(form?.id ?? '');
      return (fields as { key: string }[]).map(({ key }) => key);
    };
    expect([await keysFor(viewer), await keysFor(editor)]).toEqual([['a'], ['b']]);
    await expect(asXlsForm(outsider)).rejects.toEqual(refused('forbidden'));
  });
});

describe('importing a document', () => {
  it('creates an active, unpublished form that the caller owns', async () => {
    const { id, ...summary } = await imported({ ...empty, fields: [text('name')], publish_mode: 'auto' });
    expect(summary).toMatchObject({ title: 'Survey', status: 'active', current_version: 0 });
    expect(await get(id)).toMatchObject({ role: 'owner', publish_mode: 'auto' });
    expect(await getDraft(id)).toMatchObject({ revision: 1 });
  });

  it.each([
    [{ sheaf: 'folder' }, 'document.sheaf'],
    [{ version: 2 }, 'document.version'],
    [{ title: ' ' }, 'document.title'],
    [{ fields: [text('a'), text('a')] }, 'document.fields.1.key'],
    [{ settings: { default_language: 'de', languages: ['en'] } }, 'document.settings.default_language'],
    [{ settings: { theme: { accent: '#ffff00' } } }, 'document.settings.theme.accent'],
    [{ timezone: 'Europe/Atlantis' }, 'document.timezone'],
    [{ opens_at: '2026-03-09T08:00:00Z', closes_at: '2026-03-08T08:00:00Z' }, 'closes_at'],
  ])('refuses %j and names the fault', async (wrong, key) => {
    await expect(imported({ ...empty, ...wrong })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(`${key}: `) as unknown,
    });
  });

  it('needs edit access to the workspace, and a folder that is in it', async () => {
    await expect(imported(empty, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(imported(empty, outsider)).rejects.toEqual(refused('forbidden'));
    for (const workspace_id of [newId(), 'constructor'])
      await expect(imported(empty, editor, { workspace_id })).rejects.toEqual(refused('forbidden'));
    const folder_id = folderIn();
    expect(await get((await imported(empty, editor, { folder_id })).id)).toMatchObject({ folder_id });
    await expect(imported(empty, editor, { folder_id: folderIn(newId()) })).rejects.toEqual(
      refused('bad_request', 'folder_id: must be in the workspace'),
    );
    await expect(imported(empty, editor, { folder_id: newId() })).rejects.toEqual(
      refused('bad_request', 'folder_id: there is no such folder'),
    );
  });

  it('needs a folder of a service account, which has no workspace of its own', async () => {
    await expect(imported(empty, robot)).rejects.toEqual(
      refused('bad_request', 'folder_id: is required for service accounts, which have no workspace of their own'),
    );
    expect(await imported(empty, robot, { folder_id: folderIn() })).toMatchObject({ title: 'Survey' });
    await expect(imported(empty, aServiceAccount({ instanceId: newId() }), { folder_id: folderIn() })).rejects.toEqual(
      refused('bad_request'),
    );
  });
});
