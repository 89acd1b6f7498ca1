import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const volunteerShifts: Template = {
  id: 'volunteer-shifts',
  purpose: 'events',
  settings: { show_answers: true },
  items: [
    fullName,
    { ...emailAddress, unique: true },
    { ...phoneNumber, required: true },
    {
      type: 'multi_select',
      key: 'shifts',
      required: true,
      max_choices: 3,
      options: ['friday_evening', 'saturday_morning', 'saturday_afternoon', 'sunday_morning', 'sunday_evening'],
      places: { friday_evening: 10, saturday_morning: 12, saturday_afternoon: 12, sunday_morning: 8, sunday_evening: 15 },
    },
    { type: 'select', key: 'task', required: true, options: ['entrance', 'kitchen', 'stage', 'cleaning'] },
    { type: 'boolean', key: 'first_time' },
    { type: 'statement', name: 'briefing', visible_if: { key: 'first_time', equals: true } },
    { type: 'select', key: 'shirt', options: ['s', 'm', 'l', 'xl'] },
  ],
};
