import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { call } from '../api.js';

export interface Form {
  id: string;
  title: string;
}

const pageSize = 100;

async function perform(z: ZObject, bundle: Bundle): Promise<Form[]> {
  const params = { limit: String(pageSize), offset: String((bundle.meta.page || 0) * pageSize) };
  const { data } = await call<{ data: Form[] }>(z, bundle, { path: '/api/v1/forms', params });
  return data.map(({ id, title }) => ({ id, title }));
}

/** Fills the list of forms that people pick from. */
export default {
  key: 'form',
  noun: 'Form',
  display: { label: 'List of Forms', description: 'Fills the list of forms to pick from.', hidden: true },
  operation: {
    type: 'polling',
    perform,
    canPaginate: true,
    sample: { id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01', title: 'Site visit' },
    outputFields: [
      { key: 'id', label: 'Form ID', type: 'string' },
      { key: 'title', label: 'Title', type: 'string' },
    ],
  },
} satisfies Trigger;
