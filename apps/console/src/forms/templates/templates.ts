import { appointment } from './appointment';
import { bugReport } from './bug-report';
import { contact } from './contact';
import { customerFeedback } from './customer-feedback';
import { eventRegistration } from './event-registration';
import { jobApplication } from './job-application';
import { onboarding } from './onboarding';
import { order } from './order';
import { siteInspection } from './site-inspection';
import type { Template } from './template';
import { volunteer } from './volunteer';

/** The forms to begin with, the most wanted first. */
export const templates: readonly Template[] = [
  contact,
  eventRegistration,
  customerFeedback,
  jobApplication,
  bugReport,
  order,
  volunteer,
  siteInspection,
  appointment,
  onboarding,
];

export { countFields, documentOf, otherLanguage, type Template } from './template';
