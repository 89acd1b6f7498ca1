import { formatsOf } from '../words/formats';
import { answerText, fileIdsOf, type AnswerField, type AnswerWords } from './fields';

const signed = { key: 'signed', type: 'signature', label: 'Signed', required: false } as AnswerField;
const say: AnswerWords = { yes: 'Yes', no: 'No', files: (count) => `${count} files`, drawnSignature: 'Drawn signature' };

it.each<[string, unknown, string, string[]]>([
  ['a picture', { kind: 'drawn', file_id: 'f1' }, 'Drawn signature', ['f1']],
  ['a name', { kind: 'typed', name: 'Ada' }, 'Ada', []],
  ['a text from before it was a signature', 'Ada', 'Ada', []],
])('a question for a signature shows %s as it is, and nothing else as drawn', (_, value, text, ids) => {
  expect(answerText(signed, value, formatsOf('en'), say)).toBe(text);
  expect(fileIdsOf(signed, value)).toEqual(ids);
});
