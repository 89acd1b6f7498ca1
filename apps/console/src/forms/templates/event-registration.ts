import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const eventRegistration: Template = {
  id: 'event-registration',
  purpose: 'events',
  items: [
    { type: 'section', name: 'about_you' },
    fullName,
    emailAddress,
    {
      type: 'short_text',
      key: 'organization',
      max_length: 200,
      autocomplete: 'organization',
    },
    { type: 'section', name: 'taking_part' },
    {
      type: 'select',
      key: 'attendance',
      required: true,
      options: ['in_person', 'online'],
    },
    {
      type: 'integer',
      key: 'guests',
      min: 0,
      max: 4,
      required: true,
      visible_if: { key: 'attendance', equals: 'in_person' },
    },
    {
      type: 'multi_select',
      key: 'diet',
      options: ['vegetarian', 'vegan', 'gluten_free', 'lactose_free', 'nut_allergy'],
      visible_if: { key: 'attendance', equals: 'in_person' },
    },
    {
      type: 'multi_select',
      key: 'workshops',
      max_choices: 2,
      options: ['morning_a', 'morning_b', 'afternoon_a', 'afternoon_b'],
    },
    {
      type: 'long_text',
      key: 'access_needs',
      max_length: 1_000,
    },
  ],
};
