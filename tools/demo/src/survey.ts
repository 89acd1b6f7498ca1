import type { FieldListInput } from '@sheaf/client';

/** A realistic form with realistic answers. */
export const title = 'Visit feedback, Riverside Clinic';

const departments = ['Cardiology', 'Dermatology', 'General practice', 'Physiotherapy', 'X-ray'];
const liked = ['Staff', 'Short wait', 'Clear explanations', 'Building', 'Parking'];

export const fields: FieldListInput = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true, max_length: 120 },
  { key: 'email', label: 'What is your email address?', type: 'email', help: 'Only if you would like a reply.' },
  { key: 'visited_on', label: 'When did you visit?', type: 'date', required: true },
  { key: 'department', label: 'Which department did you visit?', type: 'select', required: true, options: departments },
  { key: 'rating', label: 'How was your visit?', type: 'rating', required: true, min: 1, max: 5 },
  { key: 'liked', label: 'What did you like?', type: 'multi_select', options: liked },
  { key: 'went_wrong', label: 'What went wrong?', type: 'long_text', required: true, visible_if: { key: 'rating', in: [1, 2] } },
  { key: 'again', label: 'Would you come again?', type: 'boolean' },
];

const first = [
  'Amina',
  'Björn',
  'Chloé',
  'Dmitri',
  'Esra',
  'Farid',
  'Grace',
  'Hiro',
  'Inés',
  'Jakub',
  'Khadija',
  'Liam',
  'Mei',
  'Noah',
  'Olga',
  'Priya',
];
const last = [
  'Adeyemi',
  'Berg',
  'Costa',
  'Dvořák',
  'Eriksen',
  'Fischer',
  'García',
  'Haddad',
  'Ito',
  'Jansen',
  'Kowalski',
  'Lefèvre',
  'Müller',
  "O'Brien",
];
const complaints = [
  'I waited for two hours.',
  'Nobody told me that the lift was out of order.',
  'The letter named the wrong floor.',
  'The phone was not answered.',
];

/** The nth respondent's answers: the same in each run, so that runs can be compared. */
export function answers(n: number): Record<string, unknown> {
  const pick = <T>(from: readonly T[], step: number): T => from[(n * step + (n >> 4)) % from.length] as T;
  const name = `${pick(first, 1)} ${pick(last, 5)}`;
  const rating = pick([5, 4, 5, 3, 4, 5, 2, 4, 1, 5], 7);
  return {
    name,
    ...(n % 3 === 0 ? {} : { email: `respondent${n}@example.org` }),
    visited_on: new Date(Date.UTC(2026, 0, 1 + (n % 300))).toISOString().slice(0, 10),
    department: pick(departments, 3),
    rating,
    liked: liked.filter((_, index) => (n >> index) % 2 === 0),
    ...(rating <= 2 ? { went_wrong: pick(complaints, 1) } : {}),
    again: rating >= 3,
  };
}
