import {
  answerFaultCodes,
  attemptErrors,
  auditActions,
  auditTargets,
  autocompleteTokens,
  bulkActions,
  comparisons,
  changeKinds,
  closedReasons,
  deactivationReasons,
  deedKinds,
  deliveryReasons,
  deliveryStates,
  finishedDeliveryStates,
  elementTypes,
  erasureKinds,
  erasureReasons,
  choiceColumns,
  csvDelimiters,
  exportFormatNames,
  fieldTypes,
  formSorts,
  formStatuses,
  hookEvents,
  keyReused,
  payloads,
  publishModes,
  publishWarningCodes,
  retentionKinds,
  retrySchedules,
  settableFormStatuses,
  subjectPlaces,
  submissionChangeTypes,
  stepKinds,
  submissionStatuses,
  webhookEvents,
  webhookScopes,
  webhookSignatures,
} from '@sheaf/contracts';
import { formRoles, instanceRoles, scopes, workspaceRoles } from '@sheaf/kernel';
import { componentUri, type Schema } from './schemas';

/** Named enums, so that generated clients have one type for each. */
const enums: Readonly<Record<string, { description: string; values: readonly string[] }>> = {
  AnswerFault: {
    description: 'Why an answer is refused, or `key_reused` for an `Idempotency-Key`. New values may be added.',
    values: [...answerFaultCodes, keyReused],
  },
  AttemptError: {
    description:
      'Why an attempt failed: an answer other than 2xx (`status`), or no answer, because none came in time (`timeout`), the connection was refused ' +
      '(`connection_refused`) or closed (`reset`), the host could not be reached (`unreachable`) or found (`dns`), TLS failed (`tls`), the ' +
      'proxy of this deployment opened no connection (`proxy`), the answer was ' +
      'not valid HTTP (`protocol`), or the URL may not be called (`url_not_allowed`, `address_not_allowed`, `origin_not_allowed`); or the outcome was ' +
      'lost (`interrupted`). New values may be added.',
    values: attemptErrors,
  },
  AuditAction: { description: 'A recorded action, as `resource.what_happened`.', values: auditActions },
  AuditActorKind: {
    description: 'The kind of actor. `anonymous`: a caller without valid credentials. `service`: a process of this deployment.',
    values: ['user', 'service_account', 'service', 'anonymous'],
  },
  AuditTargetKind: { description: 'The kind of resource that the action affected.', values: auditTargets },
  AutocompleteToken: { description: 'An HTML autocomplete token, which lets browsers fill in the field.', values: autocompleteTokens },
  AnswerComparison: { description: 'A way to compare an answer with what a filter gives.', values: comparisons },
  BulkAction: { description: 'The action of a bulk change.', values: bulkActions },
  ChangeKind: {
    description: 'The kind of a difference between two contents of a form. New values may be added.',
    values: changeKinds,
  },
  ClosedReason: {
    description:
      'The reason why a form takes no submissions: its times (`not_yet_open`, `closed`), its limit (`full`), its owner (`disabled`), or payments ' +
      'that are not set up. New values may be added.',
    values: closedReasons,
  },
  CredentialKind: { description: 'The kind of credential.', values: ['session', 'api_key'] },
  DeactivationReason: {
    description:
      'The reason why a webhook is inactive: its subscriber answered 410 (`gone`) or failed for days (`failing`), the access of whoever created it, or last changed where or what it sends, ended ' +
      '(`access_ended`), or somebody switched it off (`switched_off`). New values may be added.',
    values: deactivationReasons,
  },
  DeliveryReason: {
    description: 'Why a delivery was cancelled, or failed without an attempt.',
    values: deliveryReasons,
  },
  DeliveryState: { description: 'The state of a delivery.', values: deliveryStates },
  ElementType: { description: 'The type of an element between fields.', values: elementTypes },
  SubmissionPlace: { description: 'The place of a submission.', values: subjectPlaces },
  ErasureKind: { description: 'The kind of thing that is erased. New values may be added.', values: erasureKinds },
  ErasureReason: {
    description:
      'The reason for an erasure: somebody requested it (`requested`), its time was over (`retention`), or a person asked for it (`person`).',
    values: erasureReasons,
  },
  ErasureState: { description: 'Whether all services have confirmed the erasure.', values: ['running', 'done'] },
  ChoiceColumns: { description: 'The columns that an export has for questions with several choices.', values: choiceColumns },
  CsvDelimiter: { description: 'The separator between the cells of a CSV file.', values: csvDelimiters },
  ExportFormat: { description: 'The format of an export.', values: exportFormatNames },
  FieldType: { description: 'The type of a field.', values: fieldTypes },
  FinishedDeliveryState: { description: 'The state of a finished delivery.', values: finishedDeliveryStates },
  FormRole: { description: 'A role on a form.', values: formRoles },
  FormSort: { description: 'The order of a list of forms.', values: formSorts },
  FormStatus: { description: 'The status of a form.', values: formStatuses },
  HookEvent: { description: 'An event to subscribe to. `submission.updated` is accepted but never sent.', values: hookEvents },
  InstanceRole: { description: 'A role in the whole instance, apart from roles in workspaces.', values: instanceRoles },
  InvitationState: {
    description: 'The state of the invitation of a person who has no password yet.',
    values: ['made', 'pending', 'needed'],
  },
  Payload: {
    description:
      '`contract`: the bodies of the v1 contract. `named`: the same, and with `submission.created` also `answers`: for each answer its label, type, ' +
      'value and text, and for files name, type, size and a link that expires after 24 hours.',
    values: payloads,
  },
  PublishMode: {
    description: '`draft`: changes go live when the form is published. `auto`: saving a valid draft publishes it.',
    values: publishModes,
  },
  PublishWarningCode: {
    description:
      'A warning about a publication: the form has no fields (`no_fields`), or nothing has changed (`nothing_changed`); respondents have to pay ' +
      '(`payment_added`), another price (`payment_changed`) or nothing any more (`payment_removed`); a language that they can choose lacks ' +
      'texts (`untranslated`); a field was removed (`field_removed`), has another type (`field_retyped`) or lacks options that it had ' +
      '(`options_removed`); a required field is left out where other answers hide all of its options (`options_conditional`); ' +
      'a dropdown shows no pictures of its options (`pictures_unseen`); ' +
      'the thank-you shows the answer to a field that the form does not have (`thank_you_lacks`). New values may be added.',
    values: publishWarningCodes,
  },
  RetentionSetting: { description: 'A setting of how long things are kept.', values: retentionKinds },
  RetrySchedule: {
    description:
      '`standard`: three attempts within half a minute. `day`: seven more within a day. `three_days`: eleven more within three days. Each pause counts ' +
      'from the failure before it, and is as long as the `Retry-After` of the answer asks for if that is longer, up to an hour.',
    values: retrySchedules,
  },
  Scope: { description: 'A permission of a service account.', values: scopes },
  SettableFormStatus: {
    description: 'A status that an update may set. Deleting a form sets the status `trashed`.',
    values: settableFormStatuses,
  },
  SubmissionDeedKind: {
    description:
      'A deed: somebody assigned a submission, marked it as spam, released it, or looked for its person and got its answers. New values may be added.',
    values: deedKinds,
  },
  SubmissionChangeType: { description: 'The kind of a change of a submission. New values may be added.', values: submissionChangeTypes },
  StepKind: { description: 'A page of a form, or the check of the answers after the last one.', values: stepKinds },
  SubmissionStatus: { description: 'The status of a submission.', values: submissionStatuses },
  WebhookEvent: {
    description:
      'An event that a webhook of the application can listen to. `submission.updated` is accepted but never sent. New values may be added.',
    values: webhookEvents,
  },
  WebhookScope: { description: 'The forms whose events a webhook receives.', values: webhookScopes },
  WebhookSignature: {
    description:
      'How the requests of a webhook are signed, as Standard Webhooks names it: with the Ed25519 key of the instance (`v1a`), or also by HMAC-SHA-256 ' +
      'with a secret of its own (`v1`).',
    values: webhookSignatures,
  },
  WorkspaceRole: { description: 'A role in a workspace.', values: workspaceRoles },
};

const nameOf = new Map(Object.entries(enums).map(([name, { values }]) => [JSON.stringify(values), name]));

export const enumComponents: Record<string, Schema> = Object.fromEntries(
  Object.entries(enums).map(([name, { description, values }]) => [name, { type: 'string', description, enum: values }]),
);

/** The schema with each known list of values replaced by a reference to its named enum. */
export function withNamedEnums(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNamedEnums);
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Schema;
  const name = Array.isArray(schema.enum) ? nameOf.get(JSON.stringify(schema.enum)) : undefined;
  if (name !== undefined) {
    // Without a default, which generated clients would write as a text where the type is the enum; the description names it.
    const { type: _type, enum: _enum, default: _default, ...rest } = schema;
    return { $ref: componentUri(name), ...rest };
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNamedEnums(value)]));
}
