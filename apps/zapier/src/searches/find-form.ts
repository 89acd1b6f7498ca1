import type { Bundle, Search, ZObject } from 'zapier-platform-core';
import { readForms, type Form } from '../places.js';

async function perform(z: ZObject, bundle: Bundle): Promise<Form[]> {
  const found = await readForms(z, bundle, { limit: 10, params: { q: bundle.inputData.title as string } });
  // Zaps map the properties of the sample, and no others.
  return found.map(({ form: { id, title, status, current_version, created_at, updated_at } }) => ({
    id,
    title,
    status,
    current_version,
    created_at,
    updated_at,
  }));
}

export default {
  key: 'find_form',
  noun: 'Form',
  display: { label: 'Find Form', description: 'Finds a form by a part of its title.' },
  operation: {
    inputFields: [{ key: 'title', label: 'Title', type: 'string', required: true, helpText: 'A part of the title. Case does not matter.' }],
    perform,
    sample: {
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
      title: 'Site visit',
      status: 'active',
      current_version: 1,
      created_at: '2026-03-04T16:05:12.000Z',
      updated_at: '2026-03-04T16:05:12.000Z',
    },
    outputFields: [
      { key: 'id', label: 'Form ID', type: 'string' },
      { key: 'title', label: 'Title', type: 'string' },
      { key: 'status', label: 'Status', type: 'string' },
      { key: 'current_version', label: 'Published Version', type: 'integer' },
      { key: 'created_at', label: 'Created At', type: 'datetime' },
      { key: 'updated_at', label: 'Changed At', type: 'datetime' },
    ],
  },
} satisfies Search;
