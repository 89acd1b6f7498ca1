import type { Template } from './template';

export const photoConsent: Template = {
  id: 'photo-consent',
  purpose: 'reports',
  settings: { show_answers: true },
  items: [
    { type: 'statement', name: 'explanation' },
    { type: 'short_text', key: 'person', required: true, max_length: 200 },
    { type: 'boolean', key: 'of_age', required: true },
    { type: 'short_text', key: 'guardian', required: true, max_length: 200, visible_if: { key: 'of_age', equals: false } },
    { type: 'multi_select', key: 'uses', required: true, options: ['website', 'print', 'social_media', 'press'] },
    { type: 'date', key: 'until' },
    { type: 'boolean', key: 'agreed', required: true, must_be_true: true },
  ],
};
