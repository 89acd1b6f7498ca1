import { consent, emailAddress } from './questions';
import type { Template } from './template';

export const grantApplication: Template = {
  id: 'grant-application',
  purpose: 'people',
  settings: { resume: { days: 30 }, review_before_sending: true, show_answers: true },
  items: [
    { type: 'page', name: 'applicant' },
    { type: 'short_text', key: 'organization', required: true, max_length: 200, autocomplete: 'organization' },
    { type: 'country', key: 'country', required: true },
    { type: 'short_text', key: 'contact_person', required: true, max_length: 200, autocomplete: 'name' },
    emailAddress,
    { type: 'page', name: 'project' },
    { type: 'short_text', key: 'title', required: true, max_length: 150 },
    { type: 'long_text', key: 'summary', required: true, max_length: 3_000 },
    { type: 'date', key: 'begins', required: true },
    { type: 'date', key: 'ends', required: true },
    { type: 'check', name: 'ends_early', if: { key: 'ends', lt: { key: 'begins' } }, at: 'ends' },
    { type: 'page', name: 'budget' },
    { type: 'number', key: 'cost', required: true, min: 1, max: 10_000_000 },
    { type: 'number', key: 'own_share', required: true, min: 0, max: 10_000_000 },
    { type: 'calculated', key: 'asked', formula: 'cost - own_share', format: 'currency', currency: 'eur' },
    { type: 'check', name: 'too_much', if: { key: 'asked', gt: 50_000 }, at: 'own_share' },
    { type: 'check', name: 'nothing', if: { key: 'asked', lte: 0 }, at: 'own_share' },
    { type: 'file', key: 'budget_plan', required: true },
    { type: 'file', key: 'attachments', multiple: true, max_files: 10 },
    consent,
  ],
};
