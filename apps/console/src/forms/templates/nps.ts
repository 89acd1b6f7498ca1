import type { Template } from './template';

export const nps: Template = {
  id: 'nps',
  purpose: 'feedback',
  items: [
    { type: 'rating', key: 'recommend', required: true, min: 0, max: 10, score: 'nps' },
    { type: 'long_text', key: 'disappointed', max_length: 2_000, visible_if: { key: 'recommend', lte: 6 } },
    { type: 'long_text', key: 'missing', max_length: 2_000, visible_if: { key: 'recommend', in: [7, 8] } },
    { type: 'long_text', key: 'liked', max_length: 2_000, visible_if: { key: 'recommend', gte: 9 } },
    { type: 'ending', name: 'promoter', if: { key: 'recommend', gte: 9 } },
  ],
};
