import { consent, emailAddress, fullName } from './questions';
import type { Template } from './template';

export const membership: Template = {
  id: 'membership',
  purpose: 'people',
  settings: { review_before_sending: true, show_answers: true },
  items: [
    { type: 'section', name: 'about_you' },
    fullName,
    { ...emailAddress, unique: true },
    { type: 'date', key: 'birth_date', required: true, autocomplete: 'bday' },
    { type: 'long_text', key: 'address', required: true, max_length: 500, autocomplete: 'street-address' },
    { type: 'country', key: 'country', required: true, autocomplete: 'country' },
    { type: 'section', name: 'your_membership' },
    { type: 'select', key: 'kind', required: true, options: ['single', 'family', 'reduced'] },
    { type: 'integer', key: 'family_members', required: true, min: 2, max: 12, visible_if: { key: 'kind', equals: 'family' } },
    { type: 'file', key: 'proof', required: true, visible_if: { key: 'kind', equals: 'reduced' } },
    {
      type: 'calculated',
      key: 'fee',
      formula: 'if(kind = "family", 100, if(kind = "reduced", 30, 60))',
      format: 'currency',
      currency: 'eur',
    },
    consent,
  ],
};
