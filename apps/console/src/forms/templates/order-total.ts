import { fullName, phoneNumber } from './questions';
import type { Template } from './template';

const dish = (key: string) => ({ type: 'integer', key, min: 0, max: 20 }) as const;

export const orderTotal: Template = {
  id: 'order-total',
  purpose: 'orders',
  settings: { review_before_sending: true, show_answers: true },
  items: [
    { type: 'section', name: 'dishes' },
    dish('margherita'),
    dish('funghi'),
    dish('salad'),
    dish('lemonade'),
    {
      type: 'calculated',
      key: 'subtotal',
      formula: 'coalesce(margherita, 0) * 9.5 + coalesce(funghi, 0) * 11 + coalesce(salad, 0) * 7.5 + coalesce(lemonade, 0) * 3.2',
      format: 'currency',
      currency: 'eur',
    },
    { type: 'check', name: 'nothing', if: { key: 'subtotal', lte: 0 }, at: 'margherita' },
    { type: 'section', name: 'how_you_get' },
    { type: 'select', key: 'delivery', required: true, options: ['bring', 'collect'] },
    {
      type: 'long_text',
      key: 'address',
      required: true,
      max_length: 500,
      autocomplete: 'street-address',
      visible_if: { key: 'delivery', equals: 'bring' },
    },
    { type: 'time', key: 'at', required: true },
    {
      type: 'calculated',
      key: 'total',
      formula: 'subtotal + if(delivery = "bring" and subtotal < 30, 3.5, 0)',
      format: 'currency',
      currency: 'eur',
    },
    fullName,
    { ...phoneNumber, required: true },
  ],
};
