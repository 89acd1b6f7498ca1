import { urlIn } from './url-in';

it('finds the same address as often as it is asked', () => {
  const found = Array.from({ length: 50_000 }, () => urlIn('https://bücher.example/ä')?.hostname);
  expect(new Set(found)).toEqual(new Set(['xn--bcher-kva.example']));
});

it('finds an address beside another one, and none in what is none', () => {
  expect(urlIn('/a?b=1', 'https://forms.example.org/x')?.href).toBe('https://forms.example.org/a?b=1');
  for (const text of ['', 'a', '/a', 'https://', 'https://a b', 'http://[::1']) expect(urlIn(text)).toBeUndefined();
});
