import type { Template } from './template';

export const eventFeedback: Template = {
  id: 'event-feedback',
  purpose: 'feedback',
  items: [
    { type: 'rating', key: 'overall', required: true, max: 5, appearance: 'stars' },
    { type: 'multi_select', key: 'liked', hasOther: true, options: ['talks', 'workshops', 'people', 'food', 'venue'] },
    { type: 'rating', key: 'organization', max: 5, appearance: 'faces' },
    { type: 'boolean', key: 'again' },
    { type: 'long_text', key: 'better', max_length: 2_000 },
  ],
};
