import * as given from '../../support/given';
import { asMember, asOwner, asServiceAccount, credentials } from '../../support/people';

it('an editor takes a form out as a document and in again, as a form of their own', async () => {
  const form = await given.publishedForm({ title: 'Visit', settings: { description: 'About your visit' } });
  const editor = await asMember('editor');
  const { status, body: document } = await editor.get(`/app/v1/forms/${form}/document`);
  expect({ status, document }).toMatchObject({
    status: 200,
    document: {
      sheaf: 'form',
      version: 1,
      title: 'Visit',
      fields: [{ key: 'name' }, { key: 'stars' }],
      settings: { description: 'About your visit' },
    },
  });
  expect(JSON.stringify(document)).not.toContain(form);

  const imported = await editor.post('/app/v1/forms/import', { document, workspace_id: credentials.workspace_id });
  expect(imported).toMatchObject({ status: 201, body: { title: 'Visit', status: 'active', current_version: 0 } });
  const { id } = imported.body as { id: string };
  expect((await editor.get(`/app/v1/forms/${id}/document`)).body).toEqual(document);
  expect(await editor.get(`/api/v1/forms/${id}`)).toMatchObject({ body: { role: 'owner' } });
});

it('a fault in a document is named by its path', async () => {
  const document = { sheaf: 'form', version: 1, title: 'Visit', fields: [{ key: 'a', label: 'A', type: 'select' }], settings: {} };
  expect(await asOwner.post('/app/v1/forms/import', { document, workspace_id: credentials.workspace_id })).toMatchObject({
    status: 400,
    body: { error: { details: [{ key: 'document.fields.0.options' }] } },
  });
});

it('a program that may only write forms imports into a folder', async () => {
  const robot = await asServiceAccount('forms:write');
  const document = { sheaf: 'form', version: 1, title: 'Visit', fields: [], settings: {} };
  const { id: folder_id } = await given.folder();
  const place = { workspace_id: credentials.workspace_id };
  expect(await robot.post('/app/v1/forms/import', { document, ...place })).toMatchObject({ status: 400 });
  expect(await robot.post('/app/v1/forms/import', { document, ...place, folder_id })).toMatchObject({ status: 201 });
});
