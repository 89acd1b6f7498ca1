import { effort, little, tedious } from '@sheaf/testing';
import { FormImportRequest, parseInput } from '@sheaf/contracts';
import { checkedDocument } from './form-document';

const read = (document: unknown) => checkedDocument(parseInput(FormImportRequest.pick({ document: true }), { document }).document);

/** The document with this text in the place of one of its texts, once for each of them. */
function* everywhere(value: unknown, text: string): Generator {
  if (typeof value === 'string') yield text;
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      for (const changed of everywhere(part, text)) {
        if (Array.isArray(value)) yield value.with(Number(key), changed);
        else yield { ...value, [key]: changed };
      }
}

const document = {
  sheaf: 'form',
  version: 1,
  title: 'Visit',
  fields: [
    { type: 'section', label: 'Visit', help: 'Help' },
    {
      ...{ key: 'place', label: 'Where?', type: 'select', required: true, options: [{ value: 'vienna', label: 'Vienna' }] },
      translations: { de: { label: 'Wo?', help: 'Hilfe', options: { vienna: 'Wien' } } },
    },
    {
      key: 'code',
      label: 'Code',
      type: 'short_text',
      required: false,
      pattern: '[A-Z]{3}',
      default: 'ABC',
      visible_if: { key: 'place', equals: 'vienna' },
    },
    { key: 'day', label: 'Day', type: 'date', required: false, min_date: '2026-01-01', max_date: '2026-12-31', default: '2026-02-01' },
    { key: 'start', label: 'Start', type: 'time', required: false, default: '09:30' },
    { key: 'at', label: 'At', type: 'datetime', required: false, default: '2026-02-01T09:30:00Z' },
    { key: 'mail', label: 'Mail', type: 'email', required: false, default: 'ada@example.org' },
    { key: 'site', label: 'Site', type: 'url', required: false, default: 'https://example.org' },
    { key: 'phone', label: 'Phone', type: 'phone', required: false, default: '+431234567' },
    { key: 'photo', label: 'Photo', type: 'file', required: false, accept: ['image/*'] },
  ],
  settings: {
    languages: ['en', 'de'],
    default_language: 'en',
    thank_you: { text: 'Thanks', redirect_url: 'https://example.org/thanks' },
    help_contact: { phone: '+43 1 234567', email: 'ada@example.org' },
    embed_origins: ['https://a.example'],
  },
  opens_at: '2026-01-01T00:00:00Z',
  closes_at: '2026-12-31T00:00:00Z',
  closed_message: 'Closed',
  timezone: 'Europe/Vienna',
};

it('a document is read', () => {
  expect(read(document)).toEqual(document);
});

it.each(tedious(100_000).map((text) => [text[0], text]))(
  'a document costs little, wherever its text is 100,000 times %j',
  async (_, text) => {
    for (const changed of everywhere(document, text)) {
      const reading = () => {
        try {
          read(changed);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_request' });
        }
      };
      expect(await effort(reading)).toBeLessThan(little);
    }
  },
);

it('defaults and the values of conditions are kept as answers are, as in a draft', () => {
  const { fields } = read({
    ...document,
    fields: [
      { key: 'site', label: 'Site', type: 'url', required: false, default: 'example.org' },
      { key: 'why', label: 'Why?', type: 'short_text', required: false, visible_if: { key: 'site', equals: 'www.example.org' } },
    ],
  });
  expect(fields).toMatchObject([{ default: 'https://example.org' }, { visible_if: { key: 'site', equals: 'https://www.example.org' } }]);
});
