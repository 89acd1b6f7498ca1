import { emailAddress } from './questions';
import type { Template } from './template';

export const customerFeedback: Template = {
  id: 'customer-feedback',
  purpose: 'feedback',
  items: [
    {
      type: 'rating',
      key: 'recommend',
      required: true,
      min: 0,
      max: 10,
      score: 'nps',
    },
    {
      type: 'long_text',
      key: 'reason',
      max_length: 2_000,
    },
    {
      type: 'rating',
      key: 'service',
      required: true,
      max: 5,
    },
    {
      type: 'multi_select',
      key: 'problems',
      options: ['slow', 'unfriendly', 'quality', 'price', 'other'],
      visible_if: { key: 'service', in: [1, 2] },
    },
    {
      type: 'boolean',
      key: 'may_contact',
    },
    { ...emailAddress, visible_if: { key: 'may_contact', equals: true } },
  ],
};
