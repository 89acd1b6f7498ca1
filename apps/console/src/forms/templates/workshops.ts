import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const workshops: Template = {
  id: 'workshops',
  purpose: 'events',
  items: [
    fullName,
    { ...emailAddress, unique: true },
    {
      type: 'select',
      key: 'workshop',
      required: true,
      options: ['pottery', 'photography', 'baking', 'carpentry'],
      places: { pottery: 12, photography: 10, baking: 8, carpentry: 6 },
    },
    { type: 'select', key: 'level', required: true, options: ['beginner', 'some', 'experienced'] },
    { type: 'boolean', key: 'own_camera', required: true, visible_if: { key: 'workshop', equals: 'photography' } },
    { type: 'long_text', key: 'access_needs', max_length: 1_000 },
  ],
};
