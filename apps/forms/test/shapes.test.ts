import { newId } from '@sheaf/kernel';
import { Forms } from '@sheaf/rpc';
import { TestClock, findUncheckedRequests } from '@sheaf/testing';
import { startService } from './service';

const id = newId();
const page = { limit: 10, offset: 0 };
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

it('refuses unknown values and wrong shapes in the request of every method, and names the field', async () => {
  const { client, stop } = await startService(new TestClock());
  const found = await findUncheckedRequests(client, Forms, {
    listForms: [
      ['status', { ...page, status: 'lost' }],
      ['q', { ...page, q: 'x'.repeat(201) }],
      ['limit', { ...page, limit: 101 }],
      ['limit', { ...page, limit: 0 }],
      ['offset', { ...page, offset: -1 }],
    ],
    findForms: [
      ['status', { limit: 10, sort: 'updated', status: 'lost' }],
      ['q', { limit: 10, sort: 'updated', q: '' }],
      ['q', { limit: 10, sort: 'updated', q: 'x'.repeat(201) }],
      ['sort', { limit: 10, sort: 'name' }],
      ['limit', { limit: 101, sort: 'updated' }],
      ['cursor', { limit: 10, sort: 'updated', cursor: 'x'.repeat(1_001) }],
    ],
    createForm: [
      ['title', { title: 'x'.repeat(201) }],
      ['idempotency_key', { idempotency_key: 'two words' }],
    ],
    getForm: [],
    updateForm: [
      ['status', { id, patch: { status: 'lost' }, set: ['status'] }],
      ['status', { id, patch: { status: 'trashed' }, set: ['status'] }],
      ['publish_mode', { id, patch: { publish_mode: 'never' }, set: ['publish_mode'] }],
      ['opens_at', { id, patch: { opens_at: 'tomorrow' }, set: ['opens_at'] }],
      ['max_submissions', { id, patch: { max_submissions: -1 }, set: ['max_submissions'] }],
      ['title', { id, set: ['title'] }],
    ],
    setFavorite: [],
    moveForm: [
      ['workspace_id', { id, workspace_id: '' }],
      ['workspace_id', { id, workspace_id: 'x'.repeat(65) }],
    ],
    trashForm: [],
    restoreForm: [],
    getWorkspaceHold: [],
    eraseForm: [],
    listOwnedForms: [
      ['after_id', { after_id: 'x', limit: 1 }],
      ['limit', { limit: 1_001 }],
    ],
    duplicateForm: [],
    getFormDocument: [],
    getFormXlsForm: [],
    importForm: [
      ['document', { workspace_id: id }],
      ['document', { workspace_id: id, document: Buffer.from('no JSON') }],
      [
        'document.version',
        { workspace_id: id, document: Buffer.from('{"sheaf":"form","version":2,"title":"X","fields":[],"settings":{}}') },
      ],
    ],
    importXlsForm: [
      ['file', { workspace_id: id }],
      ['workspace_id', { workspace_id: 'x'.repeat(65), file: Buffer.from('x') }],
      ['folder_id', { workspace_id: id, folder_id: 'x'.repeat(65), file: Buffer.from('x') }],
    ],
    publishForm: [],
    listFields: [],
    getDraft: [],
    putDraft: [
      ['fields', { id, revision: 0 }],
      ['fields', { id, fields: Buffer.from('no JSON'), revision: 0 }],
      ['fields', { id, fields: Buffer.from('{}'), revision: 0 }],
      ['revision', { id, fields: Buffer.from('[]'), revision: -1 }],
      ['payment.currency', { id, fields: Buffer.from('[]'), revision: 0, payment: { amount: 1, currency: 'gold' } }],
    ],
    checkPublication: [],
    restoreDraft: [
      ['version', { id, version: 0, revision: 0 }],
      ['revision', { id, version: 1, revision: -1 }],
    ],
    publishDraft: [['revision', { id, revision: -1 }]],
    discardDraft: [['revision', { id, revision: -1 }]],
    listVersions: [
      ['limit', { form_id: id, ...page, limit: 101 }],
      ['offset', { form_id: id, ...page, offset: -1 }],
    ],
    getVersion: [],
    diffVersions: [],
    listGrants: [],
    putGrant: [['role', { form_id: id, user_id: id, role: 'admin' }]],
    addGrant: [
      ['email', { form_id: id, email: 'nobody', role: 'viewer' }],
      ['role', { form_id: id, email: 'ada@example.org', role: 'admin' }],
    ],
    removeGrant: [],
    listViews: [],
    createView: [
      ['name', { form_id: id, name: ' ', search: json({}) }],
      ['name', { form_id: id, name: 'x'.repeat(81), search: json({}) }],
      ['search', { form_id: id, name: 'New' }],
      ['search', { form_id: id, name: 'New', search: Buffer.from('no JSON') }],
      ['search.status.0', { form_id: id, name: 'New', search: json({ status: ['lost'] }) }],
      ['search.sort', { form_id: id, name: 'New', search: json({ sort: 'size' }) }],
      ['search.filter.0.key', { form_id: id, name: 'New', search: json({ filter: [{ key: '_x', comparison: 'eq', values: ['1'] }] }) }],
      [
        'search.filter',
        {
          form_id: id,
          name: 'New',
          search: json({ filter: Array.from({ length: 21 }, (_, at) => ({ key: `x${at}`, comparison: 'eq', values: ['1'] })) }),
        },
      ],
      [
        'search',
        {
          form_id: id,
          name: 'New',
          search: json({
            filter: Array.from({ length: 20 }, (_, at) => ({ key: `x${at}`, comparison: 'eq', values: Array(20).fill('x'.repeat(200)) })),
          }),
        },
      ],
      ['columns.widths.x', { form_id: id, name: 'New', search: json({}), columns: json({ order: [], hidden: [], widths: { x: -1 } }) }],
    ],
    updateView: [
      ['position', { form_id: id, id, patch: { position: 50 }, set: ['position'] }],
      ['search.q', { form_id: id, id, patch: { search: json({ q: 'x'.repeat(201) }) }, set: ['search'] }],
      ['if_updated_at', { form_id: id, id, patch: { if_updated_at: 'yesterday' }, set: ['if_updated_at'] }],
    ],
    deleteView: [],
    listExportPresets: [],
    createExportPreset: [
      ['name', { form_id: id, name: ' ', file: json({ format: 'csv' }) }],
      ['name', { form_id: id, name: 'x'.repeat(81), file: json({ format: 'csv' }) }],
      ['file', { form_id: id, name: 'New' }],
      ['file', { form_id: id, name: 'New', file: Buffer.from('no JSON') }],
      ['file.format', { form_id: id, name: 'New', file: json({ format: 'pdf' }) }],
      ['file.language', { form_id: id, name: 'New', file: json({ format: 'csv', language: 'German' }) }],
      ['file.columns.0', { form_id: id, name: 'New', file: json({ format: 'csv', columns: ['secret'] }) }],
      ['file.columns', { form_id: id, name: 'New', file: json({ format: 'csv', columns: [] }) }],
      ['file.columns', { form_id: id, name: 'New', file: json({ format: 'csv', columns: ['status', 'status:State'] }) }],
      ['file.columns', { form_id: id, name: 'New', file: json({ format: 'zip', columns: ['status'] }) }],
      ['file.delimiter', { form_id: id, name: 'New', file: json({ format: 'xlsx', delimiter: 'tab' }) }],
      [
        'file',
        {
          form_id: id,
          name: 'New',
          file: json({ format: 'csv', columns: Array.from({ length: 200 }, (_, at) => `answers.x${at}:${'x'.repeat(200)}`) }),
        },
      ],
      // In letters that take nine characters of a query each.
      [
        'file',
        {
          form_id: id,
          name: 'New',
          file: json({ format: 'csv', columns: Array.from({ length: 7 }, (_, at) => `answers.x${at}:${'字'.repeat(200)}`) }),
        },
      ],
    ],
    updateExportPreset: [
      ['file.format', { form_id: id, id, patch: { file: json({}) }, set: ['file'] }],
      ['if_updated_at', { form_id: id, id, patch: { if_updated_at: 'yesterday' }, set: ['if_updated_at'] }],
    ],
    deleteExportPreset: [],
    getFormAccess: [],
    listFormAccess: [['form_ids', { form_ids: Array.from({ length: 101 }, () => id) }]],
    getPersonRole: [],
    listFieldKeys: [['language', { form_id: id, language: 'German' }]],
    getPublishedForm: [
      ['version', { form: id, version: 0 }],
      ['version', { form: id, version: -1 }],
    ],
    listFormPlaces: [['form_ids.0', { form_ids: ['x'] }]],
    getVersionFields: [
      ['instance_id', { instance_id: 'x', form_id: id }],
      ['form_id', { instance_id: id, form_id: 'x' }],
      ['version', { instance_id: id, form_id: id, version: 0 }],
    ],
    getFormSettings: [],
    updateFormSettings: [
      ['patch', { id }],
      ['patch', { id, patch: Buffer.from('no JSON') }],
      ['languages', { id, patch: Buffer.from('{"languages":[]}') }],
      ['theme.accent', { id, patch: Buffer.from('{"theme":{"accent":"blue"}}') }],
      ['thank_you', { id, patch: Buffer.from('{"thank_you":{}}') }],
      ['resume.days', { id, patch: Buffer.from('{"resume":{"days":91}}') }],
    ],
    getLogo: [],
    addPicture: [
      ['picture', { form_id: id, picture: 'data:image/svg+xml;base64,AAAA' }],
      ['picture', { form_id: id, picture: `data:image/png;base64,${'A'.repeat(87_500)}` }],
    ],
    getPicture: [],
    getPublishedPicture: [['picture', { form: id, picture: 'x' }]],
  });
  await stop();
  expect(found).toEqual([]);
});
