import type { Template } from './template';

export const feedback360: Template = {
  id: 'feedback-360',
  purpose: 'feedback',
  items: [
    { type: 'short_text', key: 'person', required: true, max_length: 200, prefill: true },
    { type: 'select', key: 'relation', required: true, options: ['manager', 'peer', 'report', 'customer', 'self'] },
    { type: 'section', name: 'working_together' },
    { type: 'rating', key: 'listens', required: true, max: 5 },
    { type: 'rating', key: 'reliable', required: true, max: 5 },
    { type: 'rating', key: 'helps', required: true, max: 5 },
    { type: 'rating', key: 'leads', required: true, max: 5, visible_if: { key: 'relation', equals: 'report' } },
    { type: 'section', name: 'looking_ahead' },
    { type: 'ranking', key: 'strengths', ranks: 3, options: ['expertise', 'planning', 'deciding', 'explaining', 'ideas'] },
    { type: 'long_text', key: 'keep', max_length: 2_000 },
    { type: 'long_text', key: 'begin', max_length: 2_000 },
  ],
};
