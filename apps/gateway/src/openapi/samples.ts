import { refersTo, type Schema } from './schemas';

const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';

/** Values for examples, by property name, or by `<component>.<property>` where a name has several meanings. */
const samples: Readonly<Record<string, unknown>> = {
  id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07',
  form_id: form,
  submission_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07',
  folder_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
  workspace_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c04',
  user_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c05',

  title: 'Site visit',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  slug: 'site-visit',
  valid: true,
  total: 1,
  limit: 25,
  offset: 0,

  status: 'active',
  spam_reason: 'too_many_links',
  spam_at: '2026-03-05T11:20:00.000Z',
  started: 'eyJhbGciOiJIUzI1NiJ9.…',
  submission_ids: ['019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'],
  at: '2026-03-04T16:05:12.000Z',
  role: 'editor',
  version: 2,
  schema_version: 2,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-04T16:05:12.000Z',
  expires_at: '2027-01-01T00:00:00.000Z',
  timezone: 'Europe/Vienna',
  submissions: 12,
  trash_days: 30,
  submissions_days: 730,
  files_days: 365,

  data: { name: 'Ada Lovelace', stars: 5 },
  key: 'name',
  token: 'eyJhbGciOiJIUzI1NiJ9.…',
  label: 'Your name',
  scopes: ['forms:read', 'submissions:read'],

  url: 'https://hooks.example.org/catch/1',
  duration_ms: 212,
  next_cursor: null,
  last_submission_at: '2026-03-04T16:05:12.000Z',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',

  occurred_at: '2026-03-04T16:05:12.000Z',
  kind: 'user',
  events: ['submission.created'],
  payload: 'contract',
};

/** Properties specific to some kinds of fields or forms would contradict the rest of an example. */
const omitted = new Set(['SubmissionCreated.answers', 'cookie', 'SignInRequest.link', 'SubmissionStatusChanged.submission_ids']);

/** A realistic value that the schema allows. */
export function sampleOf(
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
  place: { component?: string; property?: string } = {},
): unknown {
  const { component = '', property } = place;
  const type = schema.type;
  const known = samples[`${component}.${property ?? ''}`];
  if (known === undefined && 'x-sample' in schema) return schema['x-sample'];
  // In a list envelope `data` is the list.
  if (property !== undefined && type !== 'array') {
    const sample = known ?? samples[property];
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
      ([key, { 'x-left-out': isLeftOut }]) =>
        isLeftOut !== true && !omitted.has(`${component}.${key}`) && (!omitted.has(key) || Object.hasOwn(samples, `${component}.${key}`)),
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
