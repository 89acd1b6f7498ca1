import { callAs } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

const read = (form: string) => started.client.getIntakeForm(callAs(started.respondent), { form });

describe('the form as a respondent sees it', () => {
  it('has the settings as they were published, and the time zone', async () => {
    const settings = { description: 'Grüße 🐑', theme: { accent: '#7f1d1d', logo: 'ab12' }, unknown: { to: ['this', 'release'] } };
    const form = await read(started.aForm({ settings, timezone: 'Europe/Berlin' }));
    expect(JSON.parse(form.settings.toString())).toEqual(settings);
    expect(form).toMatchObject({ timezone: 'Europe/Berlin' });
  });

  it('has empty settings from an earlier release of forms, which sends none', async () => {
    expect((await read(started.aForm({ settings: null }))).settings.toString()).toBe('{}');
  });

  it.each([
    ['open', {}, undefined],
    ['archived', { status: 'archived' }, 'disabled'],
    ['not yet open', { opens_at: '2026-06-01T12:00:00.001Z' }, 'not_yet_open'],
    ['closed', { closes_at: '2026-06-01T12:00:00.000Z' }, 'closed'],
    ['full', { max_submissions: 0 }, 'full'],
    ['closed and full', { closes_at: '2026-06-01T12:00:00.000Z', max_submissions: 0 }, 'closed'],
    ['without payments, which it needs', { payment: { amount: 100, currency: 'eur' } }, 'payments_not_set_up'],
    ['full and without payments', { max_submissions: 0, payment: { amount: 100, currency: 'eur' } }, 'full'],
  ])('says why it is closed: %s', async (_, state, closed_because) => {
    const form = await read(started.aForm(state));
    expect({ open: form.open, closed_because: form.closed_because }).toEqual({ open: closed_because === undefined, closed_because });
  });
});
