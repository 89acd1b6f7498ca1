import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const appointment: Template = {
  id: 'appointment',
  purpose: 'orders',
  items: [
    fullName,
    emailAddress,
    { ...phoneNumber, required: true },
    { type: 'boolean', key: 'first_visit', required: true },
    {
      type: 'date',
      key: 'birth_date',
      required: true,
      autocomplete: 'bday',
      visible_if: { key: 'first_visit', equals: true },
    },
    { type: 'section', name: 'your_appointment' },
    {
      type: 'select',
      key: 'service',
      required: true,
      options: ['consultation', 'check_up', 'follow_up', 'other'],
    },
    {
      type: 'long_text',
      key: 'details',
      required: true,
      max_length: 1_000,
      visible_if: { key: 'service', equals: 'other' },
    },
    { type: 'date', key: 'day', required: true },
    {
      type: 'multi_select',
      key: 'times',
      required: true,
      options: ['morning', 'afternoon', 'evening'],
    },
    {
      type: 'date',
      key: 'second_day',
    },
  ],
};
