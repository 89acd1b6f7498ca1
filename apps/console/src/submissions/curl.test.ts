import { curlFor } from './curl';

it('writes the request for a list, safe for a shell', () => {
  const query = { q: "it's", status: ['new' as const, 'approved' as const], filter: { age: { gte: ['18'] } } };
  expect(curlFor('https://forms.example.org', 'f1', query)).toBe(
    [
      `curl --get 'https://forms.example.org/app/v1/forms/f1/submissions' \\`,
      `  --header 'Authorization: Bearer YOUR_API_KEY' \\`,
      `  --data-urlencode 'q=it'\\''s' \\`,
      `  --data-urlencode 'status=new' \\`,
      `  --data-urlencode 'status=approved' \\`,
      `  --data-urlencode 'filter[age][gte]=18' \\`,
      `  --data-urlencode 'limit=100'`,
    ].join('\n'),
  );
});
