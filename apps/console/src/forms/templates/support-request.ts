import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const supportRequest: Template = {
  id: 'support-request',
  purpose: 'contact',
  items: [
    fullName,
    emailAddress,
    { type: 'select', key: 'about', required: true, hasOther: true, options: ['account', 'computer', 'software', 'network'] },
    { type: 'short_text', key: 'summary', required: true, max_length: 200 },
    { type: 'long_text', key: 'details', required: true, max_length: 5_000 },
    { type: 'select', key: 'urgency', required: true, options: ['stopped', 'hindered', 'can_wait'] },
    { ...phoneNumber, required: true, visible_if: { key: 'urgency', equals: 'stopped' } },
    { type: 'file', key: 'attachments', multiple: true, max_files: 5 },
    { type: 'ending', name: 'at_once', if: { key: 'urgency', equals: 'stopped' } },
  ],
};
