import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const callForPapers: Template = {
  id: 'call-for-papers',
  purpose: 'events',
  settings: { resume: { days: 30 }, review_before_sending: true },
  items: [
    { type: 'page', name: 'about_you' },
    fullName,
    emailAddress,
    { type: 'short_text', key: 'organization', max_length: 200, autocomplete: 'organization' },
    { type: 'country', key: 'country', autocomplete: 'country' },
    { type: 'boolean', key: 'first_talk' },
    { type: 'page', name: 'your_talk' },
    { type: 'short_text', key: 'title', required: true, max_length: 120 },
    { type: 'select', key: 'kind', required: true, options: ['talk', 'lightning', 'workshop'] },
    { type: 'integer', key: 'seats', required: true, min: 5, max: 100, visible_if: { key: 'kind', equals: 'workshop' } },
    { type: 'select', key: 'level', required: true, options: ['beginner', 'some', 'experienced'] },
    { type: 'long_text', key: 'abstract', required: true, min_length: 200, max_length: 3_000 },
    { type: 'file', key: 'slides', accept: ['application/pdf'] },
    { type: 'boolean', key: 'recording', required: true },
  ],
};
