import type { AuditAction } from '@sheaf/client';

/** Parts of the log that people look for, each with its actions. */
export const areas = ['signIn', 'people', 'keys', 'places', 'forms', 'submissions', 'data', 'webhooks', 'erasing'] as const;
export type Area = (typeof areas)[number];

const areaOf: Readonly<Record<AuditAction, Area>> = {
  'session.created': 'signIn',
  'session.failed': 'signIn',
  'session.ended': 'signIn',
  'sessions.ended': 'signIn',
  'sign_in_link.created': 'signIn',
  'invitation.accepted': 'people',
  'invitation.renewed': 'people',
  'invitation.revoked': 'people',
  'api_key.created': 'keys',
  'api_key.revoked': 'keys',
  'service_account.created': 'keys',
  'service_account.deleted': 'keys',
  'service_account.updated': 'keys',
  'service_account.key_created': 'keys',
  'service_account.key_revoked': 'keys',
  'profile.updated': 'people',
  'password.changed': 'signIn',
  'person.erased': 'erasing',
  'instance.created': 'places',
  'instance.updated': 'places',
  'instance.restored': 'places',
  'instance.erased': 'erasing',
  'instance_member.added': 'people',
  'instance_member.role_changed': 'people',
  'instance_member.removed': 'people',
  'workspace.created': 'places',
  'workspace.updated': 'places',
  'workspace.erased': 'erasing',
  'member.added': 'people',
  'member.removed': 'people',
  'member.role_changed': 'people',
  'folder.created': 'places',
  'folder.updated': 'places',
  'folder.deleted': 'places',
  'form.created': 'forms',
  'form.updated': 'forms',
  'form.moved': 'forms',
  'form.published': 'forms',
  'form.trashed': 'forms',
  'form.restored': 'forms',
  'form.erased': 'erasing',
  'grant.given': 'forms',
  'grant.removed': 'forms',
  'draft.saved': 'forms',
  'view.created': 'submissions',
  'view.updated': 'submissions',
  'view.deleted': 'submissions',
  'export_preset.created': 'submissions',
  'export_preset.updated': 'submissions',
  'export_preset.deleted': 'submissions',
  'submission.entered': 'submissions',
  'submission.status_changed': 'submissions',
  'submission.corrected': 'submissions',
  'submission.note_added': 'submissions',
  'submission.note_updated': 'submissions',
  'submission.note_deleted': 'submissions',
  'submission.assigned': 'submissions',
  'submission.deleted': 'submissions',
  'submission.restored': 'submissions',
  'submission.erased': 'erasing',
  'submissions.erased': 'erasing',
  'submission.marked_as_spam': 'submissions',
  'submission.released': 'submissions',
  'bulk_change.started': 'submissions',
  'bulk_change.ended': 'submissions',
  'submissions.exported': 'data',
  'submissions.imported': 'submissions',
  'export.started': 'data',
  'export.deleted': 'data',
  'file.downloaded': 'data',
  'hook.subscribed': 'webhooks',
  'hook.unsubscribed': 'webhooks',
  'hook.deactivated': 'webhooks',
  'webhook.created': 'webhooks',
  'webhook.updated': 'webhooks',
  'webhook.deleted': 'webhooks',
  'webhook.listened': 'webhooks',
  'webhook_key.rotated': 'webhooks',
  'delivery.redelivered': 'webhooks',
};

const actions = Object.keys(areaOf) as AuditAction[];

export const actionsOf = (area: Area): AuditAction[] => actions.filter((action) => areaOf[action] === area);

/** The actions in an address, between commas. One that does not exist is left out. */
export const parseActions = (text: string | undefined): AuditAction[] => {
  const names = new Set(text?.split(','));
  return actions.filter((action) => names.has(action));
};

/** The areas of which all actions are chosen. */
export const areasIn = (chosen: readonly AuditAction[]): Area[] =>
  areas.filter((area) => actionsOf(area).every((each) => chosen.includes(each)));
