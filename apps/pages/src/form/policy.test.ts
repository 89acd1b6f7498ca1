import { formPolicy } from './policy';

const payment = { amount: 100, currency: 'eur' };

it.each([
  ['anywhere by default', undefined, 'frame-ancestors *'],
  ['nowhere if the author allows no site', [], "frame-ancestors 'none'"],
  ['on the sites that the author allows', ['https://a.example'], "frame-ancestors 'self' https://a.example"],
])('lets a form be embedded %s', (_, embed_origins, directive) => {
  expect(formPolicy({ settings: { embed_origins }, payment: undefined, items: [] }, []).split('; ')).toContain(directive);
});

it.each([
  ['itself', {}, undefined, "form-action 'self'"],
  ['the payment page, if the form collects a payment', {}, payment, "form-action 'self' https://pay.example"],
  [
    'the site of the author',
    { thank_you: { redirect_url: 'https://a.example/thanks?x=1;y' } },
    undefined,
    "form-action 'self' https://a.example",
  ],
])('lets a form lead to %s', (_, settings, paid, directive) => {
  expect(formPolicy({ settings, payment: paid, items: [] }, ['https://pay.example']).split('; ')).toContain(directive);
});

it('lets a form lead to the sites of its endings, each named once', () => {
  const to = (redirect_url: string) =>
    ({ type: 'ending', name: 'end', if: { key: 'a', answered: true }, title: 'End', redirect_url }) as const;
  const items = [to('https://a.example/1'), to('https://a.example/2'), to('https://b.example/')];
  const directives = formPolicy({ settings: { thank_you: { redirect_url: 'https://b.example/' } }, payment: undefined, items }, []).split(
    '; ',
  );
  expect(directives).toContain("form-action 'self' https://b.example https://a.example");
});

it('allows no inline code and nothing from elsewhere', () => {
  const policy = formPolicy({ settings: {}, payment: undefined, items: [] }, []);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
});
