import type { Field } from '@sheaf/contracts';
import { withMessage } from './messages';

const field: Field = {
  key: 'name',
  label: 'Name',
  type: 'short_text',
  required: true,
  messages: { required: 'Tell us.', pattern: 'Only letters.' },
  translations: {
    de: { label: 'Name', messages: { required: 'Bitte sagen.', pattern: 'Nur Buchstaben.' } },
    fr: { messages: { required: 'Dites.' } },
  },
};

it('takes an emptied message away with its translations only', () => {
  const one = withMessage(field, 'required', '');
  expect(one).toEqual({
    messages: { pattern: 'Only letters.' },
    translations: { de: { label: 'Name', messages: { pattern: 'Nur Buchstaben.' } } },
  });
  expect(withMessage({ ...field, ...one }, 'pattern', '')).toEqual({ messages: undefined, translations: { de: { label: 'Name' } } });
});

it('leaves the translations of a message that is written anew to the author', () => {
  expect(withMessage(field, 'required', 'Say it.')).toEqual({ messages: { required: 'Say it.', pattern: 'Only letters.' } });
});
