import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';
import { readForms } from './places';
import { call, path, type Context } from './request';

/** Lets people pick a form from a list that they can search, or give its id. */
export const formPicker: INodeProperties = {
  displayName: 'Form',
  name: 'formId',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  description: 'The form to work with',
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Select a form…',
      typeOptions: { searchListMethod: 'searchForms', searchable: true },
    },
    {
      displayName: 'By ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. 019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
      validation: [{ type: 'regex', properties: { regex: '^[^\\s/]+$', errorMessage: 'An ID has no spaces or slashes' } }],
    },
  ],
};

export const pickedForm = (
  context: { getNodeParameter(name: string, itemIndex: number, fallback: string, options: object): unknown },
  itemIndex: number,
): string => context.getNodeParameter('formId', itemIndex, '', { extractValue: true }) as string;

/** A page of the form picker's list. The name of a form says in which of several workspaces it is. */
export async function searchForms(this: ILoadOptionsFunctions, filter?: string, paginationToken?: string): Promise<INodeListSearchResult> {
  const query = new URLSearchParams({ sort: 'title', ...(filter ? { q: filter } : {}) });
  const { forms, next } = await readForms(this, { query, limit: 50, ...(paginationToken ? { from: paginationToken } : {}) });
  return {
    results: forms.map(({ form: { id, title }, place }) => ({ name: place === undefined ? title : `${title} · ${place}`, value: id })),
    ...(next === undefined ? {} : { paginationToken: next }),
  };
}

export interface FormField {
  key: string;
  label: string;
  type: string;
  required: boolean;
  /** A field with this condition is required only if it holds, which the server decides. */
  required_if?: object;
  options?: { value: string; label: string }[];
}

/** The fields of the form's published version; none if it was never published. Pages, sections and statements take no answer. */
export async function readFields(context: Context, formId: string, itemIndex?: number): Promise<FormField[]> {
  const at = itemIndex === undefined ? {} : { itemIndex };
  const form = await call<{ current_version: number }>(context, { path: path`/api/v1/forms/${formId}`, ...at });
  if (form.current_version === 0) return [];
  const version = await call<{ fields: (FormField | { key?: undefined })[] }>(context, {
    path: path`/app/v1/forms/${formId}/versions/${String(form.current_version)}`,
    ...at,
  });
  return version.fields.filter((item): item is FormField => item.key !== undefined);
}
