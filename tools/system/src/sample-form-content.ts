import type { FieldListInput } from '@sheaf/client';

/** A form that shows what pages can do: several kinds of questions, conditions, two pages and consent. */
export const title = 'Workshop feedback';
export const slug = 'workshop-feedback';
export const description = 'Thank you for coming. Your answers help us to plan the next workshops. It takes about two minutes.';

export const settings = {
  thank_you: { text: 'We read every answer.' },
  resume: { days: 14 },
  show_answers: true,
};

export const fields: FieldListInput = [
  { type: 'page', label: 'About you' },
  { key: 'name', label: 'Your name', type: 'short_text', required: true, max_length: 200, autocomplete: 'name' },
  { key: 'email', label: 'Email address', type: 'email', help: 'Only if you would like a reply.', autocomplete: 'email' },
  {
    key: 'workshop',
    label: 'Which workshop did you take part in?',
    type: 'select',
    required: true,
    options: ['Pottery', 'Baking bread', 'Repairing bicycles', 'Another one'],
  },
  {
    key: 'other_workshop',
    label: 'Which other workshop?',
    type: 'short_text',
    required: true,
    max_length: 200,
    visible_if: { key: 'workshop', equals: 'Another one' },
  },
  { type: 'page', label: 'Your opinion' },
  { key: 'rating', label: 'How did you like it?', type: 'rating', required: true, help: '5 is the best.' },
  {
    key: 'improve',
    label: 'What should we do better?',
    type: 'long_text',
    max_length: 2_000,
    visible_if: { key: 'rating', in: [1, 2, 3] },
  },
  { key: 'again', label: 'Would you come again?', type: 'boolean' },
  {
    key: 'consent',
    label: 'I agree that my answers are stored to plan workshops.',
    type: 'boolean',
    required: true,
    must_be_true: true,
  },
];
