import { appointment } from './appointment';
import { bugReport } from './bug-report';
import { callForPapers } from './call-for-papers';
import { contact } from './contact';
import { courseEvaluation } from './course-evaluation';
import { customerFeedback } from './customer-feedback';
import { employeeSurvey } from './employee-survey';
import { eventFeedback } from './event-feedback';
import { eventRegistration } from './event-registration';
import { expenseClaim } from './expense-claim';
import { feedback360 } from './feedback-360';
import { grantApplication } from './grant-application';
import { incidentReport } from './incident-report';
import { jobApplication } from './job-application';
import { leaveRequest } from './leave-request';
import { marketResearch } from './market-research';
import { membership } from './membership';
import { newsletter } from './newsletter';
import { nps } from './nps';
import { onboarding } from './onboarding';
import { order } from './order';
import { orderTotal } from './order-total';
import { photoConsent } from './photo-consent';
import { quiz } from './quiz';
import { rsvp } from './rsvp';
import { siteInspection } from './site-inspection';
import { supportRequest } from './support-request';
import { volunteer } from './volunteer';
import { volunteerShifts } from './volunteer-shifts';
import { workshops } from './workshops';
import type { Template } from './template';

/** The forms to begin with, by purpose, the most wanted first. */
export const templates: readonly Template[] = [
  contact,
  supportRequest,
  newsletter,
  eventRegistration,
  workshops,
  rsvp,
  volunteerShifts,
  volunteer,
  callForPapers,
  customerFeedback,
  nps,
  eventFeedback,
  courseEvaluation,
  employeeSurvey,
  feedback360,
  marketResearch,
  quiz,
  jobApplication,
  onboarding,
  leaveRequest,
  expenseClaim,
  membership,
  grantApplication,
  order,
  orderTotal,
  appointment,
  bugReport,
  siteInspection,
  incidentReport,
  photoConsent,
];

export { countQuestions, documentOf, otherLanguage, purposes, type Template } from './template';
