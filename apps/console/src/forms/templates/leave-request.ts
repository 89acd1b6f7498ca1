import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const leaveRequest: Template = {
  id: 'leave-request',
  purpose: 'people',
  items: [
    fullName,
    emailAddress,
    { type: 'select', key: 'kind', required: true, options: ['holiday', 'special', 'unpaid', 'sick'] },
    { type: 'long_text', key: 'reason', required: true, max_length: 1_000, visible_if: { key: 'kind', in: ['special', 'unpaid'] } },
    { type: 'date', key: 'first_day', required: true },
    { type: 'date', key: 'last_day', required: true },
    { type: 'check', name: 'ends_early', if: { key: 'last_day', lt: { key: 'first_day' } }, at: 'last_day' },
    { type: 'calculated', key: 'days', formula: 'days_between(first_day, last_day) + 1' },
    {
      type: 'file',
      key: 'certificate',
      required: true,
      visible_if: {
        all: [
          { key: 'kind', equals: 'sick' },
          { key: 'days', gt: 3 },
        ],
      },
    },
    { type: 'short_text', key: 'deputy', max_length: 200, visible_if: { key: 'kind', not_equals: 'sick' } },
  ],
};
