import { changedKinds, type ScreenChange } from '@sheaf/contracts';
import type { Notice } from '@sheaf/events';
import type { FormAction } from '@sheaf/kernel';

type Kind = (typeof changedKinds)[number];

/** A change of a form that screens may show. */
export interface Change {
  instanceId: string;
  formId: string;
  kind: Kind;
  action: string;
  submissionId: string | undefined;
}

/** The action that a person must be allowed in order to hear of a change. */
export const requiredAction: Record<Kind, FormAction> = {
  form: 'read this form',
  draft: 'read this form',
  grant: 'see who has access to this form',
  submission: 'read submissions of this form',
  webhook: 'read webhooks of this form',
  delivery: 'read deliveries of this form',
};

/** The kinds by the resource in the name of an action. Reading, such as a download, changes nothing. */
const kinds: Readonly<Record<string, Kind>> = { ...Object.fromEntries(changedKinds.map((kind) => [kind, kind])), hook: 'webhook' };

/**
 * The audit log has everything that people do, so its entries announce changes. Only a submission of a respondent has none. Undefined for anything
 * that no screen shows.
 */
export function changeOf({ type, action, instanceId, formId, subject }: Notice): Change | undefined {
  const name = type === 'submission.created' ? type : action;
  if (name === undefined || formId === undefined) return undefined;
  if (name === 'submissions.erased') return { instanceId, formId, kind: 'submission', action: 'erased', submissionId: undefined };
  const [resource = '', what = ''] = name.split('.');
  const kind = kinds[resource];
  return kind && { instanceId, formId, kind, action: what, submissionId: kind === 'submission' ? subject : undefined };
}

export const shownChange = ({ kind, action, formId, submissionId }: Change): ScreenChange => ({
  kind,
  action,
  form_id: formId,
  ...(submissionId === undefined ? {} : { submission_id: submissionId }),
});
