import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const onboarding: Template = {
  id: 'onboarding',
  purpose: 'people',
  settings: { resume: { days: 30 }, review_before_sending: true },
  items: [
    { type: 'page', name: 'about_you' },
    fullName,
    {
      type: 'short_text',
      key: 'called',
      max_length: 100,
      autocomplete: 'nickname',
    },
    emailAddress,
    phoneNumber,
    {
      type: 'long_text',
      key: 'address',
      required: true,
      max_length: 500,
      autocomplete: 'street-address',
    },
    {
      type: 'short_text',
      key: 'emergency_contact',
      required: true,
      max_length: 200,
    },
    { type: 'phone', key: 'emergency_phone', required: true },
    { type: 'page', name: 'your_workplace' },
    { type: 'date', key: 'first_day', required: true },
    {
      type: 'select',
      key: 'place',
      required: true,
      options: ['office', 'home', 'both'],
    },
    {
      type: 'multi_select',
      key: 'home_equipment',
      options: ['monitor', 'chair', 'desk', 'headset'],
      visible_if: { key: 'place', in: ['home', 'both'] },
    },
    {
      type: 'select',
      key: 'laptop',
      required: true,
      options: ['mac', 'windows', 'linux'],
    },
    {
      type: 'long_text',
      key: 'needs',
      max_length: 1_000,
    },
    { type: 'page', name: 'documents' },
    {
      type: 'file',
      key: 'contract',
      required: true,
      accept: ['application/pdf'],
      max_bytes: 10_000_000,
    },
    { type: 'boolean', key: 'photo_wanted' },
    {
      type: 'file',
      key: 'photo',
      required: true,
      accept: ['image/*'],
      max_bytes: 10_000_000,
      visible_if: { key: 'photo_wanted', equals: true },
    },
    {
      type: 'boolean',
      key: 'policy_read',
      required: true,
      must_be_true: true,
    },
  ],
};
