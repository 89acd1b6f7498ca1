import { returnPath } from './return-path';

it('leads to pages of the console', () => {
  expect(returnPath('/console/forms/f1/build?q=a#b')).toBe('/console/forms/f1/build?q=a#b');
});

it.each([
  'https://evil.example/console/',
  '//evil.example/console/',
  '/\\evil.example',
  'javascript:alert(1)',
  '/docs',
  '/console/sign-in?to=x',
  '',
  7,
  undefined,
])('never leads to %s', (to) => expect(returnPath(to)).toBeUndefined());
