import { emailAddress, fullName } from './questions';
import type { Template } from './template';

export const expenseClaim: Template = {
  id: 'expense-claim',
  purpose: 'people',
  settings: { review_before_sending: true, show_answers: true },
  items: [
    fullName,
    emailAddress,
    { type: 'short_text', key: 'occasion', required: true, max_length: 200 },
    { type: 'date', key: 'begins', required: true },
    { type: 'date', key: 'ends', required: true },
    { type: 'check', name: 'ends_early', if: { key: 'ends', lt: { key: 'begins' } }, at: 'ends' },
    { type: 'section', name: 'expenses' },
    { type: 'number', key: 'tickets', min: 0, max: 100_000 },
    { type: 'number', key: 'nights', min: 0, max: 100_000 },
    { type: 'number', key: 'distance', min: 0, max: 10_000 },
    { type: 'number', key: 'other_costs', min: 0, max: 100_000 },
    {
      type: 'calculated',
      key: 'total',
      formula: 'coalesce(tickets, 0) + coalesce(nights, 0) + coalesce(distance, 0) * 0.3 + coalesce(other_costs, 0)',
      format: 'currency',
      currency: 'eur',
    },
    { type: 'check', name: 'nothing', if: { key: 'total', lte: 0 }, at: 'tickets' },
    { type: 'file', key: 'receipts', multiple: true, max_files: 10 },
    { type: 'short_text', key: 'iban', required: true, max_length: 42 },
    { type: 'boolean', key: 'true_statement', required: true, must_be_true: true },
  ],
};
