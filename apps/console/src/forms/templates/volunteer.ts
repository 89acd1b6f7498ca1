import { consent, emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const volunteer: Template = {
  id: 'volunteer',
  purpose: 'events',
  items: [
    { type: 'section', name: 'about_you' },
    fullName,
    emailAddress,
    { ...phoneNumber, required: true },
    {
      type: 'boolean',
      key: 'of_age',
      required: true,
    },
    {
      type: 'short_text',
      key: 'guardian',
      required: true,
      max_length: 200,
      visible_if: { key: 'of_age', equals: false },
    },
    { type: 'section', name: 'what_you_would' },
    {
      type: 'multi_select',
      key: 'tasks',
      required: true,
      options: ['setup', 'welcome', 'kitchen', 'driving', 'children'],
    },
    {
      type: 'boolean',
      key: 'licence',
      required: true,
      visible_if: { key: 'tasks', equals: 'driving' },
    },
    {
      type: 'multi_select',
      key: 'times',
      required: true,
      options: ['weekday_day', 'weekday_evening', 'saturday', 'sunday'],
    },
    { type: 'section', name: 'in_an_emergency' },
    { type: 'short_text', key: 'emergency_name', max_length: 200 },
    {
      type: 'phone',
      key: 'emergency_phone',
      visible_if: { key: 'emergency_name', answered: true },
    },
    consent,
  ],
};
