import { emailAddress, fullName, phoneNumber } from './questions';
import type { Template } from './template';

export const contact: Template = {
  id: 'contact',
  purpose: 'contact',
  items: [
    fullName,
    emailAddress,
    {
      type: 'select',
      key: 'subject',
      required: true,
      options: ['question', 'order', 'complaint', 'other'],
    },
    {
      type: 'short_text',
      key: 'order_number',
      max_length: 40,
      visible_if: { key: 'subject', equals: 'order' },
    },
    {
      type: 'long_text',
      key: 'message',
      required: true,
      max_length: 5_000,
    },
    {
      type: 'select',
      key: 'reply_by',
      required: true,
      options: ['email', 'phone'],
    },
    { ...phoneNumber, required: true, visible_if: { key: 'reply_by', equals: 'phone' } },
  ],
};
