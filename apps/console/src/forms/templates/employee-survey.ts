import type { Template } from './template';

export const employeeSurvey: Template = {
  id: 'employee-survey',
  purpose: 'feedback',
  items: [
    { type: 'statement', name: 'anonymous' },
    { type: 'select', key: 'department', hasOther: true, options: ['engineering', 'sales', 'operations', 'administration'] },
    { type: 'rating', key: 'valued', required: true, max: 5 },
    { type: 'rating', key: 'growth', required: true, max: 5 },
    { type: 'rating', key: 'manager', required: true, max: 5 },
    { type: 'select', key: 'workload', required: true, options: ['too_little', 'right', 'too_much'] },
    { type: 'rating', key: 'recommend', required: true, min: 0, max: 10, score: 'nps' },
    { type: 'long_text', key: 'change', max_length: 2_000 },
  ],
};
