import { nameInFormData } from './form-data';

it.each([
  ['say %22hi%22.txt', 'say "hi".txt'],
  ['two%0D%0Alines.txt', 'two\r\nlines.txt'],
  ['100%25 %2F.txt', '100%25 %2F.txt'],
  ['plain.txt', 'plain.txt'],
])('the file %j of a browser is called %j', (encoded, name) => {
  expect(nameInFormData(encoded)).toBe(name);
});
