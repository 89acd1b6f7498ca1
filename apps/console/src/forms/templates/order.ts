import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const order: Template = {
  id: 'order',
  purpose: 'orders',
  settings: { review_before_sending: true, show_answers: true },
  items: [
    { type: 'section', name: 'what_you_order' },
    {
      type: 'select',
      key: 'product',
      required: true,
      options: ['shirt', 'mug', 'poster'],
    },
    {
      type: 'select',
      key: 'size',
      required: true,
      options: ['s', 'm', 'l', 'xl'],
      visible_if: { key: 'product', equals: 'shirt' },
    },
    { type: 'integer', key: 'quantity', required: true, min: 1, max: 50 },
    {
      type: 'multi_select',
      key: 'extras',
      options: ['gift', 'note'],
    },
    {
      type: 'short_text',
      key: 'card_text',
      max_length: 140,
      required: true,
      visible_if: { key: 'extras', equals: 'note' },
    },
    { type: 'section', name: 'how_you_get' },
    {
      type: 'select',
      key: 'delivery',
      required: true,
      options: ['post', 'collect'],
    },
    {
      type: 'long_text',
      key: 'address',
      required: true,
      max_length: 500,
      autocomplete: 'street-address',
      visible_if: { key: 'delivery', equals: 'post' },
    },
    {
      type: 'date',
      key: 'collect_on',
      required: true,
      visible_if: { key: 'delivery', equals: 'collect' },
    },
    fullName,
    emailAddress,
  ],
};
