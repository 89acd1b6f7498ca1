import { asRespondent, isNight, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, entered, heading, press, textFile } from '../../support/hosted-form';
import { anyone } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const attack = '<img src=x onerror="alert(1)"><script>alert(2)</script>"\'><b>bold</b>&amp;{{7*7}}${7*7}';
const mirrored = 'abc\u202edef\u2066ghi\u200fj';

/** The elements with a directional control character in their own text that do not keep it to themselves. */
const leakingDirections = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!/[\\u202a-\\u202e\\u2066-\\u2069]/.test(node.textContent)) continue;
    const element = node.parentElement;
    const isIsolated = element.closest('bdi') !== null || getComputedStyle(element).unicodeBidi.includes('isolate');
    const isClosed = /^[^\\u202a-\\u202e]*\\u2068[^]*\\u2069[^\\u202a-\\u202e]*$/.test(node.textContent);
    if (!isIsolated && !isClosed) found.push(element.outerHTML);
  }
  return found;
})()`;

const translated = (text: string) => ({ label: text, help: text, placeholder: text });

const fields = (text: string) => [
  { type: 'section', label: text, help: text },
  { type: 'statement', label: text, help: text, translations: { de: { label: text, help: text } } },
  { key: 'name', label: text, type: 'short_text', help: text, placeholder: text, required: true, translations: { de: translated(text) } },
  { key: 'story', label: text, type: 'long_text', default: text },
  {
    key: 'choice',
    label: text,
    type: 'select',
    options: [
      { value: 'a', label: text },
      { value: text, label: 'Harmless' },
    ],
    translations: { de: { ...translated(text), options: { a: text } } },
  },
  { key: 'many', label: text, type: 'multi_select', options: [{ value: text, label: text }], visible_if: { key: 'choice', equals: text } },
  { key: 'cv', label: text, type: 'file', help: text },
];

const settings = (text: string) => ({
  description: text,
  thank_you: { text },
  languages: ['en', 'de'],
  default_language: 'en',
  translations: { de: { title: text, description: text, thank_you: text } },
  show_answers: true,
  review_before_sending: true,
  help_contact: { phone: text.slice(0, 40).trim() },
});

describe.each([
  ['HTML and scripts', attack],
  ['control characters of writing directions', mirrored],
])('%s', (_what, text) => {
  itInBrowser.each(isNight ? ['en', 'de'] : ['de'])('stay text on each page in %s', async (language) => {
    const form = await given.publishedForm({ title: text, fields: fields(text), settings: settings(text) });
    const { page } = await asRespondent();
    await page.goto(`/f/${form}?lang=${language}`);
    expect(await page.locator('h1').innerText()).toBe(text);
    // No markup can isolate the title from what the browser shows beside it.
    expect(await page.title()).toContain(text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''));
    expect(await page.locator('h2').first().innerText()).toBe(text);

    // Without a name, so that the summary names the question by its label.
    await answer(page, { story: text, cv: [textFile(`a"><img src=x onerror=alert(3)>\u202egpj.exe.txt`)] });
    await page.locator('button.primary[value=continue]').click();
    await page.locator('#f-name[aria-invalid=true]').waitFor();
    expect(await entered(page, 'story')).toEqual([text]);

    await answer(page, { name: text, choice: text });
    await answer(page, { many: [text] });
    await page.locator('button.primary[value=continue]').click();
    await page.locator('button.primary[value=send]').waitFor();
    expect(await page.locator('main').innerText()).toContain(text);
    expect(await page.locator('main').innerText()).toContain('<img src=x onerror=alert(3)>');

    await page.locator('button.primary[value=send]').click();
    await page.locator('.reference').waitFor();
    expect(await page.locator('main').innerText()).toContain(text);
    expect(await page.locator('main script, main img, main b').count()).toBe(0);
    expect((await given.submissionsOf(form))[0]?.data).toMatchObject({ name: text, story: text, choice: text, many: [text] });
  });
});

itInBrowser('a text that turns the writing direction does not reach the texts beside it', async () => {
  const form = await given.publishedForm({
    fields: [
      { key: 'cv', label: `Your \u202eCV`, type: 'file' },
      { key: 'name', label: 'Your name', type: 'short_text', required: true },
    ],
  });
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await answer(page, { cv: [textFile('invoice\u202egpj.exe')] });
  await press(page, 'Send');
  const leaking = await page.evaluate<string[]>(leakingDirections);
  expect(leaking).toEqual([]);
});

describe('a forged page', () => {
  const post = (form: string, body: FormData | string, headers: Record<string, string> = {}) =>
    fetch(`${anyone.origin}/f/${form}`, { method: 'POST', body, headers });

  it.each([
    ['no token', ''],
    ['another text', 'x'],
    ['a token of another shape', 'a.b.c.d'],
    ['a very long token', 'a'.repeat(100_000)],
    ['a line break', 'a\r\nSet-Cookie: b=1'],
  ])('with %s in its place stores nothing and answers with a page', async (_what, token) => {
    const form = await given.publishedForm();
    const page = await PlainPage.open(`/f/${form}`);
    page.enter('a.name', ['Ada']);
    page.enter('token', [token]);
    const answered = await page.send('send');
    expect(answered.status).toBeLessThan(500);
    expect(answered.heading).not.toBe('Thank you');
    expect(await given.submissionsOf(form)).toEqual([]);
    expect(answered.html).toMatch(/<h1/);
  });

  it('shows no text under an invented name or version', async () => {
    const form = await given.publishedForm();
    const page = await PlainPage.open(`/f/${form}`);
    for (const name of ['a.Your account is locked', 'a.account'])
      page.controls.push({ name, kind: 'hidden', value: 'call +1 900', isOn: true, item: undefined, options: [] });
    await given.publishAgain(form, { fields: [{ key: 'name', label: 'Your name', type: 'short_text' }] });
    for (const version of ['1', '999', '1e400', 'x', '-1']) {
      page.enter('version', [version]);
      const { status, html } = await page.send('continue');
      expect([version, status, /account|\+1 900/.test(html)]).toEqual([version, 409, false]);
    }
  });

  it('cannot be made with the token of another form', async () => {
    const [mine, other] = [await given.publishedForm(), await given.publishedForm()];
    const theirs = (await PlainPage.open(`/f/${other}`)).entered('token');
    const page = await PlainPage.open(`/f/${mine}`);
    page.enter('a.name', ['Ada']);
    page.enter('token', theirs);
    expect((await page.send('send')).heading).not.toBe('Thank you');
    expect(await given.submissionsOf(mine)).toEqual([]);
  });

  it.each([
    ['says', { 'sec-fetch-site': 'cross-site' }],
    ['from a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['with its origin', { origin: 'https://evil.example', 'x-forwarded-for': '203.0.113.7' }],
    ['with none', { origin: 'null', 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '203.0.113.7' }],
  ])('that another site sends, as the browser %s, is not taken for the respondent’s own', async (_how, headers) => {
    const form = await given.publishedForm();
    const page = await PlainPage.open(`/f/${form}`);
    page.enter('a.name', ['Ada']);
    const answered = await page.send('send', [], headers);
    expect(answered.status).toBe(422);
    expect(answered.entered('a.name')).toEqual(['Ada']);
    expect(answered.entered('token')).not.toEqual(page.entered('token'));
    expect(await given.submissionsOf(form)).toEqual([]);
    expect((await answered.send('send', [], { 'sec-fetch-site': 'same-origin', origin: new URL(page.url).origin })).heading).toBe(
      'Thank you',
    );
  });

  it('shows nobody who only has its token what was sent with it', async () => {
    const form = await given.publishedForm({ settings: { show_answers: true } });
    const page = await PlainPage.open(`/f/${form}`);
    page.enter('a.name', ['Ada Lovelace']);
    const receipt = await page.send('send');
    expect(receipt.html).toContain('Ada Lovelace');
    page.enter('a.name', ['Somebody else']);
    const other = await page.send('send');
    expect(other.html).not.toContain('Ada Lovelace');
  });

  it('cannot take a file that was sent by somebody else, to another question or form, or before', async () => {
    const fields = [
      { key: 'name', label: 'Your name', type: 'short_text', required: true },
      { key: 'cv', label: 'Your CV', type: 'file' },
      { key: 'photo', label: 'Your photo', type: 'file' },
    ];
    const [form, other] = [await given.publishedForm({ fields }), await given.publishedForm({ fields })];
    const sender = await PlainPage.open(`/f/${form}`);
    const refused = await sender.send('send', [{ name: 'file.cv', file: new File(['secret\n'], 'secret.txt', { type: 'text/plain' }) }]);
    const [kept = ''] = refused.entered('kept.cv');
    expect(kept).not.toBe('');

    const forge = async (id: string, control: string, token: string) => {
      const page = await PlainPage.open(`/f/${id}`);
      page.enter('a.name', ['Mallory']);
      page.controls.push({ name: control, kind: 'hidden', value: token, isOn: true, item: undefined, options: [] });
      return page.send('send');
    };
    expect((await forge(form, 'kept.photo', kept)).html).not.toContain('secret.txt');
    expect((await forge(other, 'kept.cv', kept)).html).not.toContain('secret.txt');
    await forge(form, 'kept.cv', `${kept.slice(0, -4)}AAAA`);
    for (const { data } of [...(await given.submissionsOf(form)), ...(await given.submissionsOf(other))])
      expect(data).toEqual({ name: 'Mallory' });

    refused.enter('a.name', ['Ada']);
    expect((await refused.send('send')).heading).toBe('Thank you');
    // The file belongs to Ada’s submission now.
    const replayed = await forge(form, 'kept.cv', kept);
    expect([replayed.status, replayed.faultyKeys]).toEqual([422, ['cv']]);
  });

  it.each<[string, (form: string) => Promise<Response>]>([
    ['JSON', (form) => post(form, '{"a":1}', { 'content-type': 'application/json' })],
    ['no body', (form) => post(form, '', { 'content-type': 'multipart/form-data; boundary=x' })],
    ['a body without a boundary', (form) => post(form, 'x', { 'content-type': 'multipart/form-data' })],
    [
      'a body that ends early',
      (form) =>
        post(form, '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\na', { 'content-type': 'multipart/form-data; boundary=x' }),
    ],
    [
      'controls in a charset that does not exist',
      (form) => post(form, 'a=1&b=2', { 'content-type': 'application/x-www-form-urlencoded; charset=bogus' }),
    ],
    [
      'a control without a name',
      (form) =>
        post(form, '--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n', { 'content-type': 'multipart/form-data; boundary=x' }),
    ],
    ['URL-encoded controls', (form) => post(form, 'token=a&do=send', { 'content-type': 'application/x-www-form-urlencoded' })],
    [
      'thousands of controls',
      (form) => {
        const body = new FormData();
        for (let n = 0; n < 6_000; n++) body.append(`a.x${n}`, 'x');
        return post(form, body);
      },
    ],
    [
      'too many bytes',
      (form) => {
        const body = new FormData();
        body.append('a.name', 'x'.repeat(5_000_000));
        return post(form, body);
      },
    ],
    [
      'names of objects',
      (form) => {
        const body = new FormData();
        for (const name of ['__proto__', 'constructor', 'a.__proto__', 'a.constructor', 'a.', 'file.', 'kept.__proto__', 'do', 'shown'])
          body.append(name, 'x');
        return post(form, body);
      },
    ],
    ['PUT', (form) => fetch(`${anyone.origin}/f/${form}`, { method: 'PUT', body: 'x' })],
  ])('made of %s gets a page with a 4xx', async (_what, send) => {
    const form = await given.publishedForm();
    const response = await send(form);
    await response.arrayBuffer();
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await given.submissionsOf(form)).toEqual([]);
    expect((await PlainPage.open(`/f/${form}`)).status).toBe(200);
  });
});

itInBrowser('each page has a policy without exceptions, and tells nobody where it was', async () => {
  const form = await given.publishedForm({ settings: { embed_origins: [] } });
  const { page } = await asRespondent();
  const response = await page.goto(`/f/${form}`);
  const headers = response?.headers() ?? {};
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|data:/);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  expect(headers['referrer-policy']).toMatch(/no-referrer|same-origin|strict-origin/);
  expect(headers['set-cookie']).toBeUndefined();
  expect(await page.locator('[style], style, script:not([src])').count()).toBe(0);
  expect(await heading(page)).toBe('Survey');
});
