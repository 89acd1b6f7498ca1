import { fullName } from './questions';
import type { Template } from './template';

export const rsvp: Template = {
  id: 'rsvp',
  purpose: 'events',
  items: [
    fullName,
    { type: 'select', key: 'attending', required: true, appearance: 'buttons', options: ['yes', 'no'] },
    { type: 'integer', key: 'guests', required: true, min: 0, max: 5, visible_if: { key: 'attending', equals: 'yes' } },
    {
      type: 'short_text',
      key: 'guest_names',
      required: true,
      max_length: 300,
      visible_if: {
        all: [
          { key: 'attending', equals: 'yes' },
          { key: 'guests', gt: 0 },
        ],
      },
    },
    {
      type: 'multi_select',
      key: 'menus',
      required: true,
      options: ['meat', 'fish', 'vegetarian', 'vegan'],
      visible_if: { key: 'attending', equals: 'yes' },
    },
    { type: 'long_text', key: 'allergies', max_length: 500, visible_if: { key: 'attending', equals: 'yes' } },
    { type: 'short_text', key: 'song', max_length: 200, visible_if: { key: 'attending', equals: 'yes' } },
    { type: 'ending', name: 'missed', if: { key: 'attending', equals: 'no' } },
  ],
};
