import { asQuery } from './filter';

describe('The filters of the audit log', () => {
  it('are nothing without a choice', () => {
    expect(asQuery({ entry: 'open' })).toEqual({});
  });

  it('count the last day in full', () => {
    const { from, to } = asQuery({ from: '2026-02-28', to: '2026-02-28' });
    expect(new Date(to ?? '').getTime() - new Date(from ?? '').getTime()).toBe(86_400_000);
    expect(new Date(from ?? '').getHours()).toBe(0);
  });

  it('ignore a day that is none', () => {
    expect(asQuery({ from: 'yesterday', to: '2026-13' })).toEqual({});
  });

  it('take several actions', () => {
    expect(asQuery({ action: 'form.published,form.erased', actor: 'a', form: 'f', target: 't' })).toEqual({
      action: ['form.published', 'form.erased'],
      actor_id: 'a',
      form_id: 'f',
      target_id: 't',
    });
  });
});
