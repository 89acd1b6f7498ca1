import type { Template } from './template';

export const bugReport: Template = {
  id: 'bug-report',
  purpose: 'reports',
  items: [
    {
      type: 'short_text',
      key: 'summary',
      required: true,
      max_length: 200,
    },
    {
      type: 'select',
      key: 'severity',
      required: true,
      options: ['blocks', 'hinders', 'annoys'],
    },
    {
      type: 'statement',
      name: 'if_you_cannot',
      visible_if: { key: 'severity', equals: 'blocks' },
    },
    { type: 'section', name: 'how_to_see' },
    {
      type: 'long_text',
      key: 'steps',
      required: true,
      max_length: 5_000,
    },
    { type: 'long_text', key: 'actual', required: true, max_length: 5_000 },
    { type: 'long_text', key: 'expected', max_length: 5_000 },
    {
      type: 'file',
      key: 'screenshots',
      accept: ['image/*'],
      multiple: true,
      max_files: 5,
      max_bytes: 10_000_000,
    },
    { type: 'section', name: 'where_it_happened' },
    {
      type: 'select',
      key: 'device',
      options: ['browser', 'phone', 'app'],
    },
    {
      type: 'short_text',
      key: 'browser',
      max_length: 100,
      visible_if: { key: 'device', equals: 'browser' },
    },
    { type: 'email', key: 'email', autocomplete: 'email' },
  ],
};
