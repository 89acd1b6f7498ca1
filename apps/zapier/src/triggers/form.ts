import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { readForms } from '../places.js';

export interface ListedForm {
  id: string;
  title: string;
}

const pageSize = 100;

/** Zapier asks for a page by its number alone, so the ones before it are read again. */
async function perform(z: ZObject, bundle: Bundle): Promise<ListedForm[]> {
  const from = (bundle.meta.page || 0) * pageSize;
  const forms = await readForms(z, bundle, { limit: from + pageSize, params: { sort: 'title' } });
  return forms.slice(from).map(({ form: { id, title }, place }) => ({ id, title: place === undefined ? title : `${title} · ${place}` }));
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
