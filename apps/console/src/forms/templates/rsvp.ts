import { fullName } from './questions';
import type { Template } from './template';

const isComing = { key: 'attending', equals: 'yes' };
const menus = ['meat', 'fish', 'vegetarian', 'vegan'];

export const rsvp: Template = {
  id: 'rsvp',
  purpose: 'events',
  items: [
    fullName,
    { type: 'select', key: 'attending', required: true, appearance: 'buttons', options: ['yes', 'no'] },
    { type: 'select', key: 'menu', required: true, options: menus, visible_if: isComing },
    {
      type: 'repeat',
      key: 'guests',
      max: 5,
      visible_if: isComing,
      fields: [
        { type: 'short_text', key: 'guest_name', required: true, max_length: 100 },
        { type: 'select', key: 'guest_menu', required: true, options: menus },
      ],
    },
    { type: 'long_text', key: 'allergies', max_length: 500, visible_if: isComing },
    { type: 'short_text', key: 'song', max_length: 200, visible_if: isComing },
    { type: 'ending', name: 'missed', if: { key: 'attending', equals: 'no' } },
  ],
};
