/** Descriptions of properties and parameters, by name, or by `<component>.<property>` where a name has several meanings. */
export const propertyDescriptions: Readonly<Record<string, string>> = {
  id: 'The id.',
  form_id: "The form's id.",
  submission_id: "The submission's id.",
  submission_ids: 'The ids of the submissions.',
  folder_id: "The form's folder; absent or null if the form is unfiled.",
  workspace_id: "The workspace's id.",
  user_id: "The person's id.",

  data: 'The items of this page.',
  total: 'The total number of items on all pages.',
  assignee: 'The id of the person who takes care of it.',
  next_cursor: 'The `cursor` of the next page; null on the last page.',

  title: "The form's title.",
  name: 'The name.',
  email: 'The e-mail address.',
  slug: "The last part of the form's public URL.",
  label: 'The label.',
  role: 'The role: owner, editor, viewer and, in workspaces, admin. Treat an unknown value as no access.',
  scopes: 'The scopes.',
  keys: 'The valid keys.',
  key: 'The key of the field in `data`.',
  valid: 'Whether its link can be accepted. False if its sender may not assign the roles of the person any more; a new link helps.',
  kind: 'The kind of actor: `user`, `service_account`, or a process of this deployment.',

  status: 'The status. New values may be added.',
  headers:
    'The request headers of this attempt, including the signature; absent while the attempt is in progress, or if its outcome was lost.',
  schema_version: 'The form version that the submission answers.',
  started: 'A signed token that records when the form was opened. A page sends it back with the answers.',

  created_at: 'The time of creation.',
  updated_at: 'The time of the last change.',
  created_by: 'The person or service account that created it.',
  expires_at: 'The expiry time; absent if the key does not expire.',
  occurred_at: 'The time of the action.',
  at: 'The time of the change.',
  spam_at: 'The time at which the submission was classified as spam.',
  from: 'The start of the period (inclusive).',
  to: 'The end of the period (exclusive).',
  actor: 'The person, service account or process that made the change.',
  spam_reason: 'The reason: `honeypot`, `too_fast`, `too_many_links`, `no_proof`, `checker`, or `marked` (by a person).',

  fields: 'The fields, in order.',

  event: 'The event. New values may be added.',
  url: 'The URL that deliveries go to.',
  duration_ms: 'The duration in milliseconds; absent while the attempt is in progress.',
  error: 'The reason for the failure; absent if the attempt succeeded.',
  body: 'The exact text that is sent.',
  kty: 'The key type.',
  crv: 'The curve.',
  alg: 'The algorithm.',
  use: 'The intended use of the key.',
  x: 'The public key, in base64url.',

  address: "The client's IP address.",
  reason:
    'The reason for a deactivation: `gone` (the subscriber answered 410), `failing` (deliveries failed for too long) or `access_ended` (its creator ' +
    'may no longer manage it).',
  format: 'The format: `csv` unless given.',
};
