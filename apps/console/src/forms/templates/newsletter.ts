import { consent, emailAddress } from './questions';
import type { Template } from './template';

export const newsletter: Template = {
  id: 'newsletter',
  purpose: 'contact',
  items: [
    { ...emailAddress, unique: true },
    { type: 'short_text', key: 'first_name', max_length: 100, autocomplete: 'given-name' },
    { type: 'multi_select', key: 'topics', options: ['news', 'events', 'offers', 'jobs'] },
    { type: 'select', key: 'often', required: true, options: ['weekly', 'monthly'] },
    consent,
  ],
};
