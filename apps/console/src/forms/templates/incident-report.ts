import type { Template } from './template';

export const incidentReport: Template = {
  id: 'incident-report',
  purpose: 'reports',
  settings: { show_answers: true },
  items: [
    { type: 'section', name: 'what_happened' },
    { type: 'select', key: 'kind', required: true, hasOther: true, options: ['injury', 'near_miss', 'damage', 'fire'] },
    { type: 'datetime', key: 'happened_at', required: true },
    { type: 'short_text', key: 'place', required: true, max_length: 200, prefill: true },
    { type: 'long_text', key: 'course', required: true, max_length: 5_000 },
    { type: 'section', name: 'injuries', visible_if: { key: 'kind', equals: 'injury' } },
    { type: 'short_text', key: 'injured', required: true, max_length: 200 },
    { type: 'boolean', key: 'doctor', required: true },
    { type: 'section', name: 'more' },
    { type: 'long_text', key: 'witnesses', max_length: 1_000 },
    { type: 'file', key: 'photos', accept: ['image/*'], multiple: true, max_files: 10 },
    { type: 'long_text', key: 'prevention', max_length: 2_000 },
    { type: 'short_text', key: 'reporter', required: true, max_length: 200, autocomplete: 'name' },
    { type: 'ending', name: 'to_doctor', if: { key: 'doctor', equals: true } },
  ],
};
