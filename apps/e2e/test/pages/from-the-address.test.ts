import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, entered, heading, press } from '../../support/hosted-form';
import { asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', prefill: true },
  { key: 'city', label: 'Your city', type: 'short_text' },
  { key: 'stars', label: 'Stars', type: 'rating', prefill: true, default: 3 },
  { key: 'likes', label: 'Likes', type: 'multi_select', options: ['a', 'b', 'c'], prefill: true },
  { key: 'campaign', label: 'Campaign', type: 'hidden' },
  { key: 'news', label: 'Newsletter', type: 'boolean', default: false },
];

describe('the address of a page', () => {
  itInBrowser('fills in the questions whose author allows it, and hidden ones', async () => {
    const form = await given.publishedForm({ fields });
    const { page } = await asRespondent({ javaScript: false });
    await page.goto(`/f/${form}?name=Ada%20%22L%22&city=London&stars=5&likes=a&likes=c&campaign=spring&unknown=1&token=mine&version=9`);
    expect([await entered(page, 'name'), await entered(page, 'city'), await entered(page, 'stars'), await entered(page, 'likes')]).toEqual([
      ['Ada "L"'],
      [''],
      ['5'],
      ['a', 'c'],
    ]);
    await press(page, 'Send');
    expect((await given.submissionsOf(form))[0]?.data).toEqual({
      name: 'Ada "L"',
      stars: 5,
      likes: ['a', 'c'],
      campaign: 'spring',
      news: false,
    });
  });

  itInBrowser('may hold a wrong value, which the respondent is told about', async () => {
    const form = await given.publishedForm({ fields });
    const { page } = await asRespondent();
    await page.goto(`/f/${form}?stars=99&likes=z`);
    expect(await press(page, 'Send')).toBeLessThan(500);
    await page.locator('main').waitFor();
  });

  it.each([
    ['en', '1.125'],
    ['de', '1,125'],
  ])('holds plain numbers, which a page in %s shows in its own way', async (language, shown) => {
    const form = await given.publishedForm({ fields: [{ key: 'price', label: 'Price', type: 'number', prefill: true }] });
    const page = await PlainPage.open(`/f/${form}?price=1.125&lang=${language}`);
    expect(page.entered('a.price')).toEqual([shown]);
    await page.send('send');
    expect((await given.submissionsOf(form))[0]?.data).toEqual({ price: 1.125 });
  });

  it('keeps its values when the respondent chooses another language', async () => {
    const form = await given.publishedForm({ fields, settings: { languages: ['en', 'de'] } });
    const { html } = await PlainPage.open(`/f/${form}?name=Ada%20L&likes=a&likes=c&campaign=spring&city=London`);
    const [, link = ''] = /<a\b[^>]*href="([^"]*lang=de[^"]*)"/.exec(html) ?? [];
    const german = await PlainPage.open(link.replaceAll('&amp;', '&'));
    expect([german.entered('a.name'), german.entered('a.likes'), german.entered('a.city')]).toEqual([['Ada L'], ['a', 'c'], ['']]);
    await german.send('send');
    expect((await given.submissionsOf(form))[0]?.data).toMatchObject({ name: 'Ada L', likes: ['a', 'c'], campaign: 'spring' });
  });

  describe('may hold an invalid value of a hidden field, which its respondent cannot correct: it is left out', () => {
    const name = { key: 'name', label: 'Your name', type: 'short_text', required: true };
    const campaign = { key: 'campaign', label: 'Campaign', type: 'hidden', max_length: 5 };

    it('between the pages of a form', async () => {
      const form = await given.publishedForm({ fields: [name, campaign, { type: 'page', label: 'More' }, { ...name, key: 'city' }] });
      const first = await PlainPage.open(`/f/${form}?campaign=waytoolong`);
      first.enter('a.name', ['Ada']);
      const second = await first.send('continue');
      expect([second.status, second.shownKeys]).toEqual([200, ['city']]);
      second.enter('a.city', ['London']);
      const receipt = await (await second.send('continue')).send('send');
      expect(receipt.heading).toBe('Thank you');
      expect((await given.submissionsOf(form))[0]?.data).toEqual({ name: 'Ada', city: 'London' });
    });

    it('beside a fault that the respondent can correct', async () => {
      const form = await given.publishedForm({ fields: [name, campaign] });
      const first = await (await PlainPage.open(`/f/${form}?campaign=waytoolong`)).send('send');
      expect([first.status, first.faultyKeys]).toEqual([422, ['name']]);
      expect(first.html).not.toContain('campaign');
      first.enter('a.name', ['Ada']);
      expect((await first.send('send')).heading).toBe('Thank you');
      expect((await given.submissionsOf(form))[0]?.data).toEqual({ name: 'Ada' });
    });
  });

  it('does not break a page, whatever it holds', async () => {
    const form = await given.publishedForm({ fields });
    for (const query of [
      '?name=%ff%fe',
      '?name=%00',
      '?campaign=' + 'x'.repeat(6_000),
      '?__proto__=1&constructor=2',
      '?%',
      '?name[a]=1',
      '?lang=',
      '?',
    ])
      expect((await PlainPage.open(`/f/${form}${query}`)).status).toBeLessThan(500);
  });
});

describe('after sending', () => {
  let server: Server;
  let site: string;
  beforeAll(async () => {
    server = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end('<!doctype html><html lang="en"><title>Site</title><h1>The author’s site</h1></html>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  itInBrowser('a respondent comes to the author’s site', async () => {
    const form = await given.publishedForm({ settings: { thank_you: { redirect_url: `${site}/thanks?from=form` } } });
    const { page } = await asRespondent({ javaScript: false, origins: [site] });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    expect(page.url()).toMatch(new RegExp(`^${site}/thanks\\?from=form`));
    expect(await heading(page)).toBe('The author’s site');
    expect(await given.submissionsOf(form)).toHaveLength(1);
  });

  itInBrowser('nothing in the address or the page can lead somewhere else', async () => {
    const form = await given.publishedForm({ fields });
    const { page } = await asRespondent({ javaScript: false });
    const target = encodeURIComponent(`${site}/phish`);
    await page.goto(`/f/${form}?redirect=${target}&redirect_url=${target}&next=${target}&return_url=${target}&name=Ada`);
    expect(await page.content()).not.toContain('phish');
    await press(page, 'Send');
    expect(new URL(page.url()).pathname).toMatch(/\/receipt\//);
  });

  it.each(['//evil.example', '/\\evil.example', '%2f%2fevil.example', 'https:%2f%2fevil.example'])(
    'the path /f/%s leads nowhere',
    async (path) => {
      const { status, url } = await PlainPage.open(`/f/${path}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(new URL(url).host).not.toContain('evil');
    },
  );

  it.each([
    'https://example.org/\r\nSet-Cookie: a=1',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https:evil.example',
    ' https://a.example',
  ])('an author cannot set the address %j', async (redirect_url) => {
    const form = await given.publishedForm();
    expect((await asOwner.patch(`/app/v1/forms/${form}`, { thank_you: { redirect_url } })).status).toBe(400);
  });

  it.each(['lang=de%0d%0aSet-Cookie:%20a=1', 'lang=%0a//evil.example', 'embed=1%0d%0aX-Injected:%201', 'lang=/%5C/evil.example'])(
    'the query %s cannot change where a page leads',
    async (query) => {
      const form = await given.publishedForm();
      const page = await PlainPage.open(`/f/${form}?${query}`);
      const action = /<form\b[^>]*\baction="([^"]*)"/.exec(page.html)?.[1];
      expect(action).toMatch(new RegExp(`^/f/${form}\\?[\\w%=&;-]*$`));
      page.enter('a.name', ['Ada']);
      const receipt = await page.send('send');
      expect([receipt.heading, new URL(receipt.url).pathname.split('/').slice(0, 4)]).toEqual(['Thank you', ['', 'f', form, 'receipt']]);
    },
  );

  itInBrowser('a thank-you text is shown on the receipt as text', async () => {
    const form = await given.publishedForm({ settings: { thank_you: { text: 'See you <b>soon</b>\n\nBring a friend' } } });
    const { page } = await asRespondent();
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    expect(await page.locator('main').innerText()).toMatch(/See you <b>soon<\/b>\s+Bring a friend/);
  });
});
