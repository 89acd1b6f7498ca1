import type { Template } from './template';

export const courseEvaluation: Template = {
  id: 'course-evaluation',
  purpose: 'feedback',
  items: [
    { type: 'short_text', key: 'course', required: true, max_length: 200, prefill: true },
    { type: 'section', name: 'the_course' },
    { type: 'rating', key: 'useful', required: true, max: 5 },
    { type: 'select', key: 'pace', required: true, options: ['slow', 'right', 'fast'] },
    { type: 'integer', key: 'hours', min: 0, max: 80 },
    { type: 'section', name: 'the_teaching' },
    { type: 'rating', key: 'explained', required: true, max: 5 },
    { type: 'rating', key: 'questions_welcome', max: 5 },
    { type: 'long_text', key: 'helped', max_length: 2_000 },
    { type: 'long_text', key: 'better', max_length: 2_000 },
  ],
};
