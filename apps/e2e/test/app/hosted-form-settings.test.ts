import { createHash } from 'node:crypto';
import { eventually } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';

const png = Buffer.from('\x89PNG\r\n\x1a\n pretends to be a picture', 'latin1');
const settings = {
  description: 'About your visit.',
  thank_you: { text: 'Thanks!', redirect_url: 'https://example.com/thanks' },
  languages: ['en', 'de'],
  default_language: 'en',
  translations: { de: { title: 'Besuch', description: 'Zu Ihrem Besuch.' } },
  embed_origins: ['https://shop.example'],
  theme: { accent: '#7f1d1d', background: '#fef3c7', logo: `data:image/png;base64,${png.toString('base64')}` },
  review_before_sending: true,
  resume: { days: 30 },
  help_contact: { email: 'help@example.com', url: 'https://example.com/help' },
  show_answers: true,
  proof_of_work: false,
};

const change = (form: string, patch: object) => asOwner.patch(`/app/v1/forms/${form}`, patch);
const read = (form: string, headers?: Record<string, string>) => anyone.send('GET', `/public/v1/forms/${form}`, undefined, headers);

describe('the settings of the hosted form', () => {
  it('are changed one by one and cleared by null', async () => {
    const id = await given.publishedForm();
    expect(await asOwner.get(`/app/v1/forms/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect(await change(id, settings)).toMatchObject({ status: 200, body: { id, ...settings } });

    const { resume: _resume, ...rest } = settings;
    const changed = (await change(id, { resume: null, description: 'New' })).body;
    expect(changed).toMatchObject({ id, ...rest, description: 'New' });
    expect(changed).not.toHaveProperty('resume');
    expect((await asOwner.get(`/app/v1/forms/${id}`)).body).toEqual(changed);
  });

  it('reach respondents within a second without publishing, except for those that only the form needs', async () => {
    const id = await given.publishedForm();
    await read(id);
    await change(id, settings);
    await asOwner.patch(`/api/v1/forms/${id}`, { timezone: 'Europe/Vienna' });

    const { embed_origins: _sites, proof_of_work: _proof, theme, ...shown } = settings;
    await eventually(async () =>
      expect((await read(id)).body).toMatchObject({
        ...shown,
        theme: { ...theme, logo: createHash('sha256').update(png).digest('hex') },
        timezone: 'Europe/Vienna',
        open: true,
        version: 1,
      }),
    );
    const { body } = await read(id);
    for (const name of ['embed_origins', 'proof_of_work', 'closed_because']) expect(body).not.toHaveProperty(name);
  });

  it('are refused with the name of the setting and its bound', async () => {
    const id = await given.publishedForm();
    expect(await change(id, { theme: { accent: '#f59e0b' }, default_language: 'de', languages: ['en'] })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'bad_request',
          message:
            'default_language: must be one of languages (en); ' +
            'theme.accent: has a contrast of 2.14:1 with the background #ffffff; it needs at least 4.5:1',
          details: [{ key: 'default_language' }, { key: 'theme.accent' }],
        },
      },
    });
  });
});

it('a closed form says why to programs', async () => {
  const id = await given.publishedForm();
  for (const [patch, reason] of [
    [{ opens_at: '2098-01-01T00:00:00Z' }, 'not_yet_open'],
    [{ opens_at: null, closes_at: '2021-01-01T00:00:00Z' }, 'closed'],
    [{ closes_at: null, max_submissions: 0 }, 'full'],
    [{ status: 'disabled' }, 'disabled'],
  ] as const) {
    await asOwner.patch(`/api/v1/forms/${id}`, patch);
    await eventually(async () => expect((await read(id)).body).toMatchObject({ open: false, closed_because: reason }));
  }
});

describe('a form that lists the sites that may use it', () => {
  const refusal = { status: 403, body: { error: { code: 'forbidden', message: 'Origin: is not among the sites that may use this form' } } };
  const shop = { origin: 'https://shop.example' };
  const other = { origin: 'https://other.example' };
  let form: string;
  beforeAll(async () => {
    form = await given.publishedForm({
      fields: [
        { key: 'name', label: 'Name', type: 'short_text' },
        { key: 'cv', label: 'CV', type: 'file' },
      ],
    });
    await change(form, { embed_origins: ['https://shop.example'] });
    await eventually(async () => expect(await read(form, other)).toMatchObject(refusal));
  });

  const submit = (headers: Record<string, string>) =>
    anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, headers);
  const upload = async (headers: Record<string, string>) => {
    const body = new FormData();
    body.append('file', new Blob(['hello']), 'cv.txt');
    const response = await fetch(`${anyone.origin}/public/v1/forms/${form}/files?field=cv`, { method: 'POST', body, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('serves these sites, which may read the responses', async () => {
    for (const reply of [await read(form, shop), await submit(shop), await upload(shop)]) {
      expect(reply.status).toBeLessThan(300);
      expect(reply.headers.get('access-control-allow-origin')).toBe('https://shop.example');
      expect(reply.headers.get('vary')).toContain('Origin');
    }
  });

  it.each([other, { origin: 'null' }])('refuses the scripts of any other site, which cannot even read why: %j', async (headers) => {
    for (const reply of [await read(form, headers), await submit(headers), await upload(headers)]) {
      expect(reply).toMatchObject(refusal);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('serves its own host and programs, which send no origin', async () => {
    const senders: Record<string, string>[] = [{}, { origin: anyone.origin }, { origin: anyone.origin.replace('http:', 'https:') }];
    for (const headers of senders) {
      expect(await read(form, headers)).toMatchObject({ status: 200 });
      expect(await submit(headers)).toMatchObject({ status: 201 });
    }
  });

  it('does not say so in a preflight, which knows no form', async () => {
    const reply = await fetch(`${anyone.origin}/public/v1/forms/${form}/submissions`, {
      method: 'OPTIONS',
      headers: { ...other, 'access-control-request-method': 'POST' },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('serves no site if the list is empty, and every site without a list', async () => {
    const own = await given.publishedForm();
    expect(await read(own, other)).toMatchObject({ status: 200 });
    await change(own, { embed_origins: [] });
    await eventually(async () => expect(await read(own, shop)).toMatchObject(refusal));
    await change(own, { embed_origins: null });
    await eventually(async () => expect(await read(own, other)).toMatchObject({ status: 200 }));
  });
});
