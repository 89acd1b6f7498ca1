import type { AuditAction } from '@sheaf/client';
import { sentences } from './sentences';

/** Parts of the log that people look for, each with its actions. */
export const areas = ['signIn', 'people', 'keys', 'places', 'forms', 'submissions', 'data', 'webhooks', 'erasing'] as const;
export type Area = (typeof areas)[number];

const actions = Object.keys(sentences.en) as AuditAction[];

const areaOf = (action: AuditAction): Area => {
  if (action.endsWith('.erased')) return 'erasing';
  if (action === 'submissions.exported' || action === 'file.downloaded') return 'data';
  const [subject = ''] = action.split('.');
  if (['session', 'sessions', 'sign_in_link', 'password'].includes(subject)) return 'signIn';
  if (['member', 'instance_member', 'invitation', 'profile'].includes(subject)) return 'people';
  if (['api_key', 'service_account'].includes(subject)) return 'keys';
  if (['instance', 'workspace', 'folder'].includes(subject)) return 'places';
  if (['form', 'grant', 'draft'].includes(subject)) return 'forms';
  return ['submission', 'submissions'].includes(subject) ? 'submissions' : 'webhooks';
};

export const actionsOf = (area: Area): AuditAction[] => actions.filter((action) => areaOf(action) === area);

/** The actions in an address, between commas. One that does not exist is left out. */
export const parseActions = (text: string | undefined): AuditAction[] => {
  const names = new Set(text?.split(','));
  return actions.filter((action) => names.has(action));
};

/** The areas of which all actions are chosen. */
export const areasIn = (chosen: readonly AuditAction[]): Area[] =>
  areas.filter((area) => actionsOf(area).every((each) => chosen.includes(each)));
