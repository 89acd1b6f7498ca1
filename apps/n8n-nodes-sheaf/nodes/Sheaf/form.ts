import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { formPicker, pickedForm, readItems } from '../api/forms';
import { readForms } from '../api/places';
import { call, path } from '../api/request';
import { chosenLimit, limitProperties } from './limit';
import type { Operation } from './operation';

const forms = (operation: string) => ({ show: { resource: ['form'], operation: [operation] } });

export const formProperties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['form'] } },
    options: [
      { name: 'Get', value: 'get', action: 'Get a form', description: 'Get a form and its fields' },
      { name: 'Get Many', value: 'getAll', action: 'Get many forms', description: 'Get the forms that the key can see' },
    ],
    default: 'get',
  },
  { ...formPicker, displayOptions: forms('get') },
  ...limitProperties(forms('getAll')),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: forms('getAll'),
    options: [
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: [
          { name: 'Active', value: 'active' },
          { name: 'Archived', value: 'archived' },
          { name: 'Disabled', value: 'disabled' },
          { name: 'Trashed', value: 'trashed' },
        ],
        default: 'active',
        description: 'Only forms with this status. Without it, all forms that are not in the trash.',
      },
      { displayName: 'Title Contains', name: 'q', type: 'string', default: '', description: 'Only forms with this text in their title' },
    ],
  },
];

export const formOperations: Record<string, Operation> = {
  async get(context, itemIndex) {
    const formId = pickedForm(context, itemIndex);
    const form = await call<IDataObject>(context, { path: path`/api/v1/forms/${formId}`, itemIndex });
    const items = await readItems(context, formId, itemIndex);
    return [{ json: { ...form, fields: items.filter(({ key }) => key !== undefined) } }];
  },

  async getAll(context, itemIndex) {
    const filters = context.getNodeParameter('filters', itemIndex, {}) as Record<string, string>;
    const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
    const { forms } = await readForms(context, { query, limit: chosenLimit(context, itemIndex), itemIndex });
    return forms.map(({ form }) => ({ json: form }));
  },
};
