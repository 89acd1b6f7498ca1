import { consent, emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const jobApplication: Template = {
  id: 'job-application',
  purpose: 'people',
  settings: { resume: { days: 14 }, review_before_sending: true },
  items: [
    { type: 'page', name: 'about_you' },
    fullName,
    emailAddress,
    phoneNumber,
    {
      type: 'select',
      key: 'position',
      required: true,
      options: ['engineering', 'design', 'support', 'speculative'],
    },
    {
      type: 'short_text',
      key: 'wanted_work',
      required: true,
      max_length: 300,
      visible_if: { key: 'position', equals: 'speculative' },
    },
    { type: 'page', name: 'experience' },
    {
      type: 'file',
      key: 'cv',
      required: true,
      accept: ['application/pdf'],
      max_bytes: 10_000_000,
    },
    {
      type: 'file',
      key: 'documents',
      accept: ['application/pdf'],
      multiple: true,
      max_files: 5,
      max_bytes: 10_000_000,
    },
    {
      type: 'url',
      key: 'portfolio',
      visible_if: { key: 'position', in: ['design', 'engineering'] },
    },
    {
      type: 'integer',
      key: 'years',
      min: 0,
      max: 60,
    },
    { type: 'page', name: 'your_application' },
    {
      type: 'long_text',
      key: 'motivation',
      required: true,
      max_length: 5_000,
    },
    { type: 'date', key: 'start_date', required: true },
    consent,
  ],
};
