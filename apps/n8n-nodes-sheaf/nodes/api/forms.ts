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
  /** Regardless of other answers. */
  required: boolean;
  options?: { value: string; label: string }[];
  /** Of a rating. */
  min?: number;
  max?: number;
  low_label?: string;
  high_label?: string;
}

export interface FormItem extends Partial<Omit<FormField, 'type' | 'required'>> {
  type: string;
  required?: boolean;
  required_if?: object;
  visible_if?: object;
  options?: { value: string; label: string; visible_if?: object }[];
}

/**
 * The fields of a form. Those that another answer may hide are not required, nor are those that it may make optional: the server decides about them. Pages,
 * sections and statements take no answer, and checks and endings neither; the condition of a page or section hides what follows it.
 */
export function fieldsOf(items: readonly FormItem[]): FormField[] {
  let [page, section] = [false, false];
  return items.flatMap(({ required_if: requiredIf, visible_if: visibleIf, ...item }) => {
    const mayHide = visibleIf !== undefined;
    if (item.type === 'page') [page, section] = [mayHide, false];
    if (item.type === 'section') section = mayHide;
    const { key, label = '', required = false, options } = item;
    if (key === undefined) return [];
    const mayOfferNone = options?.every((option) => option.visible_if !== undefined) ?? false;
    const isSure = requiredIf === undefined && !mayHide && !page && !section && !mayOfferNone;
    return [{ ...item, key, label, required: required && isSure }];
  });
}

/** The fields and elements of the form's published version; none if it was never published. */
export async function readItems(context: Context, formId: string, itemIndex?: number): Promise<FormItem[]> {
  const at = itemIndex === undefined ? {} : { itemIndex };
  const form = await call<{ current_version: number }>(context, { path: path`/api/v1/forms/${formId}`, ...at });
  if (form.current_version === 0) return [];
  const version = await call<{ fields: FormItem[] }>(context, {
    path: path`/app/v1/forms/${formId}/versions/${String(form.current_version)}`,
    ...at,
  });
  return version.fields;
}
