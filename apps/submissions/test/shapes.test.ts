import { newId } from '@sheaf/kernel';
import { Submissions } from '@sheaf/rpc';
import { findUncheckedRequests } from '@sheaf/testing';
import { Started } from './started';

const form_id = newId();
const of = { form_id, id: newId() };
const page = { form_id, limit: 10, offset: 0 };
const search = { form_id, limit: 10, statuses: [], filters: [], sort: 'created' };
const form = 'survey';
const data = Buffer.from('{}');
const saved = { form, name: Buffer.alloc(32), sealed: Buffer.from('…') };
const imported = { form_id: newId(), match: [], idempotency_key: 'k1', only_valid: false, events: false };
const file = { form, field: 'cv', name: 'cv.pdf', content_type: 'application/pdf' };
const asking = (...comparisons: string[]) =>
  Buffer.from(JSON.stringify({ filter: comparisons.map((comparison) => ({ key: 'age', comparison, values: ['7'] })) }));

it('refuses unknown values and wrong shapes in the request of every method, and names the field', async () => {
  const service = await new Started().start();
  const found = await findUncheckedRequests(service.client, Submissions, {
    getIntakeForm: [['origin', { form, origin: 'x'.repeat(301) }]],
    submit: [
      ['data', { form }],
      ['idempotency_key', { form, data, idempotency_key: 'two words' }],
      ['hp', { form, data, hp: 'x'.repeat(1_001) }],
      ['started', { form, data, started: 'x'.repeat(1_001) }],
      ['origin', { form, data, origin: 'x'.repeat(301) }],
      ['proof', { form, data, proof: 'x'.repeat(101) }],
      ['return_url', { form, data, return_url: 'ftp://example.org' }],
      ['amount_seen', { form, data, amount_seen: 100_000_000 }],
      ['saved', { form, data, saved: Buffer.alloc(31) }],
      ['language', { form, data, language: 'not a tag' }],
    ],
    checkAnswers: [['data', { form }]],
    countStep: [
      ['version', { form, version: 0, reached: 1 }],
      ['reached', { form, version: 1, reached: 501 }],
      ['from', { form, version: 1, reached: 1, from: -1 }],
    ],
    tryDraft: [['data', { form_id: form }]],
    getReceipt: [
      ['id', { form_id }],
      ['id', { ...of, idempotency_key: 'key-1' }],
      ['idempotency_key', { form_id, idempotency_key: 'two words' }],
      ['data', { ...of, data: Buffer.alloc(1_500_001) }],
    ],
    saveAnswers: [
      ['name', { ...saved, name: Buffer.alloc(31) }],
      ['sealed', { ...saved, sealed: Buffer.alloc(1_500_001) }],
      ['sealed', { ...saved, sealed: undefined }],
      ['file_ids', { ...saved, file_ids: ['x'] }],
      ['file_ids', { ...saved, file_ids: Array.from({ length: 5_001 }, newId) }],
    ],
    getSavedAnswers: [['name', { form, name: Buffer.alloc(33) }]],
    uploadFile: [
      ['file', []],
      ['file', [{ bytes: Buffer.from('%PDF') }]],
      ['file.field', [{ file: { ...file, field: '' } }]],
      ['file.origin', [{ file: { ...file, origin: 'x'.repeat(301) } }]],
    ],
    previewImport: [
      ['file', []],
      ['file.match.0', [{ file: { ...imported, match: ['name:answers.name'] } }]],
      ['file.date_order', [{ file: { ...imported, date_order: 'year_first' } }]],
    ],
    importSubmissions: [
      ['file', [{ bytes: Buffer.from('name') }]],
      ['file.match', [{ file: { ...imported, match: ['1:answers.a', '1:answers.b'] } }]],
    ],
    listSubmissions: [
      ['status', { ...page, status: 'lost' }],
      ['limit', { ...page, limit: 101 }],
      ['offset', { ...page, offset: -1 }],
      ['max_bytes', { ...page, max_bytes: -1 }],
    ],
    readAnswers: [
      ['ids', { form_id, ids: ['x'] }],
      ['ids', { form_id, ids: Array.from({ length: 101 }, newId) }],
    ],
    countViews: [
      ['views', { form_id, views: Array(41).fill({ id: of.id, search: Buffer.from('{}') }) }],
      ['views.0.search.q', { form_id, views: [{ id: of.id, search: Buffer.from('{"q":""}') }] }],
      ['views.0.search.filter.1.comparison', { form_id, views: [{ id: of.id, search: asking('gte', 'gte') }] }],
      ['views.0.search.filter.1.comparison', { form_id, views: [{ id: of.id, search: asking('gte', 'eq') }] }],
    ],
    findSubmissions: [
      ['limit', { ...search, limit: 101 }],
      ['cursor', { ...search, cursor: 'x'.repeat(1_001) }],
      ['q', { ...search, q: '' }],
      ['assignee', { ...search, assignee: 'ada' }],
      ['to', { ...search, to: 'tomorrow' }],
      ['changed_since', { ...search, changed_since: 'yesterday' }],
      ['max_bytes', { ...search, max_bytes: 0 }],
      ['status.0', { ...search, statuses: ['lost'] }],
      ['from', { ...search, from: '2026-01-01' }],
      ['sort', { ...search, sort: 'name' }],
      ['people.0', { ...search, people: ['ada'] }],
      ['filter.0.key', { ...search, filters: [{ key: "a'b", comparison: 'eq', values: ['1'] }] }],
      ['filter.0.comparison', { ...search, filters: [{ key: 'a', comparison: 'like', values: ['1'] }] }],
    ],
    getInsights: [
      ['timezone', { form_id, timezone: 'Mars/Olympus', keys: [] }],
      ['from', { form_id, timezone: 'UTC', from: 'yesterday', keys: [] }],
      ['to', { form_id, timezone: 'UTC', to: '2026-02-30', keys: [] }],
      ['field', { form_id, timezone: 'UTC', keys: Array.from({ length: 21 }, () => 'a') }],
      ['field.0', { form_id, timezone: 'UTC', keys: ["a'b"] }],
      ['status.0', { form_id, timezone: 'UTC', keys: [], statuses: ['lost'] }],
      ['answer', { form_id, timezone: 'UTC', keys: [], answers: Array.from({ length: 6 }, () => 'a:b') }],
      ['answer.0', { form_id, timezone: 'UTC', keys: [], answers: ['colour'] }],
    ],
    listSubmissionChanges: [
      ['limit', { form_id, limit: 101 }],
      ['cursor', { form_id, limit: 10, cursor: 'x'.repeat(1_001) }],
    ],
    getSubmission: [],
    listReferencedSubmissions: [['reference', { reference: 'x'.repeat(41) }]],
    getSubmissionDetail: [],
    enterSubmission: [
      ['data', { form_id }],
      ['idempotency_key', { form_id, data, idempotency_key: 'two words' }],
      ['language', { form_id, data, language: 'not a tag' }],
    ],
    correctSubmission: [
      ['data', { ...of, revision: 0 }],
      ['reason', { ...of, data, revision: 0, reason: 'x'.repeat(501) }],
      ['revision', { ...of, data, revision: -1 }],
    ],
    listRevisions: [
      ['limit', { ...of, limit: 101 }],
      ['cursor', { ...of, limit: 10, cursor: 'x'.repeat(1_001) }],
    ],
    getRevision: [['number', { ...of, number: -1 }]],
    changeStatus: [
      ['status', { ...of, status: 'lost' }],
      ['status', { ...of }],
    ],
    deleteSubmission: [],
    findSubject: [
      ['value', { value: 'x', limit: 10 }],
      ['limit', { value: 'ada', limit: 101 }],
      ['cursor', { value: 'ada', limit: 10, cursor: 'x'.repeat(1_001) }],
    ],
    getFormRetention: [['days.trash_days', { ...of, days: { trash_days: 0 } }]],
    getInstanceRetention: [],
    updateInstanceRetention: [
      ['trash_days', { patch: { trash_days: 0 }, set: ['trash_days'] }],
      ['submissions_days', { patch: { submissions_days: 36_501 }, set: ['submissions_days'] }],
      ['files_days', { patch: { files_days: -1 }, set: ['files_days'] }],
    ],
    eraseSubject: [
      ['value', { value: 'x'.repeat(201) }],
      ['cursor', { value: 'ada', cursor: 'x'.repeat(1_001) }],
    ],
    eraseSubmission: [],
    eraseSubmissions: [
      ['submission_ids', { form_id: of.form_id, submission_ids: [] }],
      ['submission_ids', { form_id: of.form_id, submission_ids: Array.from({ length: 501 }, (_, n) => `id-${n}`) }],
    ],
    exportSubmissions: [
      ['format', { form_id, format: 'pdf' }],
      ['format', { form_id }],
      ['status', { form_id, format: 'csv', status: 'lost' }],
      ['statuses.0', { form_id, format: 'csv', statuses: ['lost'] }],
      ['q', { form_id, format: 'csv', q: '' }],
      ['assignee', { form_id, format: 'csv', assignee: 'ada' }],
      ['from', { form_id, format: 'csv', from: '2026-01-01' }],
      ['to', { form_id, format: 'csv', to: 'tomorrow' }],
      ['changed_since', { form_id, format: 'csv', changed_since: 'yesterday' }],
      ['filters.0.key', { form_id, format: 'csv', filters: [{ key: "a'b", comparison: 'eq', values: ['1'] }] }],
      ['filters.0.comparison', { form_id, format: 'csv', filters: [{ key: 'a', comparison: 'like', values: ['1'] }] }],
      ['language', { form_id, format: 'csv', language: 'German' }],
      ['choices', { form_id, format: 'csv', choices: 'rows' }],
      ['columns.0.id', { form_id, format: 'csv', columns: [{ id: 'answers' }] }],
      ['columns.0.heading', { form_id, format: 'csv', columns: [{ id: 'status', heading: '' }] }],
      ['columns', { form_id, format: 'csv', columns: Array.from({ length: 501 }, () => ({ id: 'status' })) }],
      ['people.x', { form_id, format: 'csv', people: { x: '' } }],
      ['delimiter', { form_id, format: 'csv', delimiter: '|' }],
      ['origin', { form_id, format: 'csv', origin: '' }],
      ['exported_by', { form_id, format: 'csv', exported_by: '' }],
    ],
    startExport: [
      ['wanted.format', { wanted: { form_id, format: 'pdf' }, name: 'a.csv' }],
      ['name', { wanted: { form_id, format: 'csv' }, name: '' }],
    ],
    listExports: [],
    getExport: [],
    deleteExport: [],
    readExport: [],
    startBulkChange: [
      ['action', { form_id, action: 'erase' }],
      ['new_status', { form_id, action: 'set_status', new_status: 'lost' }],
      ['new_assignee', { form_id, action: 'assign', new_assignee: 'ada' }],
      ['q', { form_id, action: 'trash', q: '' }],
      ['status.0', { form_id, action: 'trash', statuses: ['lost'] }],
      ['filter.0.key', { form_id, action: 'trash', filters: [{ key: "a'b", comparison: 'eq', values: ['1'] }] }],
      ['assignee', { form_id, action: 'trash', assignee: 'ada' }],
      ['to', { form_id, action: 'trash', to: 'tomorrow' }],
      ['from', { form_id, action: 'trash', from: '2026-01-01' }],
      ['changed_since', { form_id, action: 'trash', changed_since: 'yesterday' }],
    ],
    listBulkChanges: [],
    getBulkChange: [],
    endBulkChange: [],
    undoBulkChange: [],
    changeStatuses: [
      ['status', { form_id, submission_ids: [newId()], status: 'lost' }],
      ['submission_ids', { form_id, submission_ids: [], status: 'approved' }],
      ['if_changed_at', { form_id, submission_ids: [newId()], status: 'approved', if_changed_at: 'yesterday' }],
    ],
    listNotes: [
      ['limit', { ...of, limit: 0 }],
      ['cursor', { ...of, limit: 10, cursor: 'x'.repeat(1_001) }],
    ],
    addNote: [['text', { ...of, text: ' ' }]],
    updateNote: [['text', { ...of, note_id: newId(), text: 'x'.repeat(5_001) }]],
    deleteNote: [],
    assignSubmission: [
      ['user_id', { ...of, user_id: 'ada' }],
      ['if_changed_at', { ...of, user_id: newId(), if_changed_at: 'yesterday' }],
    ],
    trashSubmissions: [
      ['submission_ids', { form_id, submission_ids: [] }],
      ['if_changed_at', { form_id, submission_ids: [newId()], if_changed_at: 'yesterday' }],
    ],
    restoreSubmissions: [
      ['submission_ids', { form_id, submission_ids: Array.from({ length: 501 }, newId) }],
      ['if_changed_at', { form_id, submission_ids: [newId()], if_changed_at: 'yesterday' }],
    ],
    markSubmissionsSpam: [
      ['submission_ids', { form_id, submission_ids: [], spam: true }],
      ['if_changed_at', { form_id, submission_ids: [newId()], spam: true, if_changed_at: 'yesterday' }],
    ],
    getHistory: [],
    countAnswers: [
      ['keys.0', { form_id, keys: ['No key'] }],
      ['keys', { form_id, keys: Array.from({ length: 501 }, (_, index) => `key_${index}`) }],
      [
        'options',
        {
          form_id,
          options: Array.from({ length: 501 }, (_, index) => ({
            key: `key_${index}`,
            options: [],
          })),
        },
      ],
      ['options.0.key', { form_id, options: [{ key: 'No key', options: [] }] }],
      [
        'options.0.options',
        {
          form_id,
          options: [{ key: 'colour', options: Array.from({ length: 1_001 }, () => 'red') }],
        },
      ],
      ['options.0.options.0', { form_id, options: [{ key: 'colour', options: ['x'.repeat(201)] }] }],
    ],
    summarizeForms: [['form_ids', { form_ids: Array.from({ length: 101 }, () => 'x') }]],
    listTrash: [
      ['limit', { ...page, limit: 0 }],
      ['offset', { ...page, offset: -1 }],
      ['max_bytes', { ...page, max_bytes: 0 }],
    ],
    restoreSubmission: [],
    listSpam: [
      ['limit', { ...page, limit: 0 }],
      ['offset', { ...page, offset: -1 }],
      ['max_bytes', { ...page, max_bytes: 0 }],
    ],
    markSpam: [],
    getPayment: [],
    takePaymentEvent: [['body', { signature: 's' }]],
    readFile: [],
    describeFiles: [
      ['file_ids.0', { instance_id: newId(), form_id, file_ids: ['x'], expires_at: '2026-05-01T00:00:00Z' }],
      ['instance_id', { instance_id: 'x', form_id, file_ids: [], expires_at: '2026-05-01T00:00:00Z' }],
      ['expires_at', { instance_id: newId(), form_id, file_ids: [], expires_at: 'soon' }],
    ],
    readLinkedFile: [],
  });
  await service.stop();
  expect(found).toEqual([]);
});
