import { refersTo, type Schema } from './schemas';

const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';

/** Values for examples, by property name, or by `<component>.<property>` where a name has several meanings. */
const samples: Readonly<Record<string, unknown>> = {
  id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07',
  'FormSummary.id': form,
  'FormDetail.id': form,
  'PublicForm.id': form,
  form_id: form,
  submission_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07',
  folder_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
  parent_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c03',
  default_workspace_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04',
  workspace_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04',
  user_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',
  subscription_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c06',
  file_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09',
  event_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c08',

  title: 'Site visit',
  name: 'Ada Lovelace',
  'WorkspaceSummary.name': 'Field work',
  'ApiKey.name': 'Nightly report',
  'ApiKeyRequest.name': 'Nightly report',
  'CreatedApiKey.name': 'Nightly report',
  'ServiceAccount.name': 'Sync robot',
  'ServiceAccountRequest.name': 'Sync robot',
  'CreatedServiceAccount.name': 'Sync robot',
  'UploadedFile.name': 'plan.pdf',
  content_type: 'application/pdf',
  size: 48213,
  'ServiceAccountUpdateRequest.name': 'Sync robot',
  'OwnWorkspace.name': 'Field work',
  'WorkspaceCreateRequest.name': 'Field work',
  'WorkspaceUpdateRequest.name': 'Field work',
  'OwnWorkspace.slug': 'field-work',
  'WorkspaceCreateRequest.slug': 'field-work',
  'WorkspaceUpdateRequest.slug': 'field-work',
  email: 'ada@example.org',
  password: 'a good long password',
  slug: 'site-visit',
  avatar_url: '',
  'ProfileUpdateRequest.avatar_url': 'https://forms.example.org/ada.png',
  current_password: 'my previous password',
  icon: 'folder',
  color: 'teal',
  sort_order: 0,
  total: 1,
  limit: 25,
  offset: 0,

  status: 'active',
  'Submission.status': 'new',
  'SubmissionReceipt.status': 'new',
  'SubmissionPayment.state': 'paid',
  'StatusRequest.status': 'approved',
  'TrashedSubmission.status': 'new',
  deleted_at: '2026-03-05T11:20:00.000Z',
  'SpamSubmission.status': 'new',
  'MarkedSubmission.status': 'new',
  spam: true,
  spam_reason: 'too_many_links',
  spam_at: '2026-03-05T11:20:00.000Z',
  hp: '',
  started: 'eyJhbGciOiJIUzI1NiJ9.…',
  submission_ids: ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'],
  'BulkStatusRequest.status': 'approved',
  updated: ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'],
  unchanged: [],
  'StatusChange.status': 'approved',
  'StatusChange.from': 'new',
  'StatusChange.to': 'approved',
  'StatusChange.actor': { kind: 'user', id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05' },
  at: '2026-03-04T16:05:12.000Z',
  role: 'editor',
  favorite: false,
  current_version: 2,
  version: 2,
  schema_version: 2,
  publish_mode: 'draft',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-04T16:05:12.000Z',
  published_at: '2026-03-04T16:05:12.000Z',
  started_at: '2026-03-04T16:05:12.000Z',
  next_attempt_at: '2026-03-04T16:05:16.000Z',
  last_used_at: '2026-03-04T16:05:12.000Z',
  expires_at: '2027-01-01T00:00:00.000Z',
  opens_at: '2026-03-09T08:00:00.000Z',
  closes_at: '2026-03-31T22:00:00.000Z',
  max_submissions: 500,
  closed_message: 'Back on Monday.',
  timezone: 'Europe/Vienna',
  warnings: ['Nothing has changed since version 1.'],

  data: { name: 'Ada Lovelace', stars: 5 },
  amount: 2500,
  currency: 'eur',
  provider: 'stripe',
  reference: 'pi_3Qx…',
  paid_at: '2026-03-04T16:05:12.000Z',
  received: true,
  'StripeEventRequest.id': 'evt_1Qx…',
  'StripeEventRequest.type': 'checkout.session.completed',
  'StripeEventRequest.data': { object: { id: 'cs_live_a1…' } },
  key: 'name',
  'CreatedApiKey.key': 'shf_u_7Qm…',
  'CreatedServiceAccount.key': 'shf_s_7Qm…',
  'CreatedServiceAccountKey.key': 'shf_s_7Qm…',
  prefix: 'shf_u_7Qm',
  'ServiceAccountKey.prefix': 'shf_s_7Qm',
  'CreatedServiceAccountKey.prefix': 'shf_s_7Qm',
  token: 'eyJhbGciOiJIUzI1NiJ9.…',
  label: 'Your name',
  'FolderSummary.label': 'Inspections',
  'FolderRequest.label': 'Inspections',
  'FormField.type': 'string',
  'Field.type': 'short_text',
  'FieldInput.type': 'short_text',
  new_status: 'approved',
  previous_status: 'new',
  'SubmissionStatusChanged.event': 'submission.status_changed',
  'SubmissionDeleted.event': 'submission.deleted',
  required: true,
  scopes: ['forms:read', 'submissions:read'],

  event: 'submission.created',
  url: 'https://hooks.example.org/catch/1',
  target_url: 'https://hooks.example.org/catch/1',
  source: 'zapier',
  active: true,
  invitation_url: 'https://forms.example.org/invitations/Zk1…',
  'Delivery.state': 'pending',
  'DeliveryDetail.state': 'pending',
  attempt_count: 1,
  'RedeliverRequest.from': '2026-11-20T00:00:00.000Z',
  'RedeliverRequest.to': '2026-11-21T00:00:00.000Z',
  'RedeliverRequest.state': 'failed',
  redelivered: 12,
  number: 1,
  duration_ms: 212,
  'DeliveryAttempt.status': 503,
  'DeliveryAttempt.url': 'https://hooks.example.org/catch/1',
  'DeliveryAttempt.headers': { 'webhook-id': '01936f2e…', 'webhook-timestamp': '1764000000', 'webhook-signature': 'v1a,…' },
  error: 'HTTP status 503',
  'DeliveryDetail.body': '{"event":"submission.deleted","form_id":"…","submission_id":"…"}',
  revision: 3,
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  public_key: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  retires_at: '2026-03-05T16:05:12.000Z',

  action: 'form.published',
  'AuditActor.kind': 'user',
  'AuditActor.id': '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',
  via: 'session',
  credential_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c09',
  'AuditTarget.kind': 'form',
  'AuditTarget.id': form,
  address: '203.0.113.7',
  request_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c0a',
  details: { version: 2 },
  occurred_at: '2026-03-04T16:05:12.000Z',
  kind: 'user',
  'Webhook.source': 'application',
  open: true,
};

/** Properties specific to some kinds of fields or forms would contradict the rest of an example. */
const omitted = new Set([
  'cookie',
  'SubmissionStatusChanged.submission_ids',
  'help',
  'placeholder',
  'options',
  'min',
  'max',
  'min_length',
  'max_length',
  'pattern',
  'accept',
  'max_bytes',
  'visible_if',
  'must_be_true',
  'min_choices',
  'max_choices',
  'min_date',
  'max_date',
  'multiple',
  'max_files',
  'default',
  'prefill',
  'autocomplete',
  'translations',
  'payment_url',
]);

/** A realistic value that the schema allows. */
export function sampleOf(
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
  place: { component?: string; property?: string } = {},
): unknown {
  const { component = '', property } = place;
  const type = schema.type;
  // In a list envelope `data` is the list.
  if (property !== undefined && type !== 'array') {
    const sample = samples[`${component}.${property}`] ?? samples[property];
    if (sample !== undefined) return sample;
  }
  const name = refersTo(schema);
  if (name !== undefined) return sampleOf(components[name] ?? {}, components, { component: name });

  const among = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (among) return sampleOf(among[0] ?? {}, components, { component });
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  if (type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).filter(
      ([key]) => !omitted.has(key) && !omitted.has(`${component}.${key}`),
    );
    return Object.fromEntries(properties.map(([key, value]) => [key, sampleOf(value, components, { component, property: key })]));
  }
  if (type === 'array') {
    const whole = property === undefined ? undefined : (samples[`${component}.${property}`] ?? samples[property]);
    return Array.isArray(whole) ? whole : [sampleOf(schema.items as Schema, components, { component })];
  }
  if (type === 'integer' || type === 'number') return schema.default ?? schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return 'text';
}
