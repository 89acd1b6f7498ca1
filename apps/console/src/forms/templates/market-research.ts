import type { Template } from './template';

export const marketResearch: Template = {
  id: 'market-research',
  purpose: 'feedback',
  items: [
    { type: 'country', key: 'country' },
    { type: 'select', key: 'age', options: ['under_18', 'from_18', 'from_30', 'from_50', 'from_65'] },
    { type: 'select', key: 'use', required: true, options: ['weekly', 'monthly', 'rarely', 'never'] },
    {
      type: 'long_text',
      key: 'why_not',
      max_length: 1_000,
      visible_if: { key: 'use', equals: 'never' },
    },
    {
      type: 'multi_select',
      key: 'heard',
      hasOther: true,
      options: ['friends', 'search', 'social_media', 'press', 'shop'],
    },
    { type: 'ranking', key: 'matters', required: true, ranks: 3, options: ['price', 'quality', 'design', 'service', 'environment'] },
    { type: 'number', key: 'fair_price', min: 0, max: 100_000 },
  ],
};
