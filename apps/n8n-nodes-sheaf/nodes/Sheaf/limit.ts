import type { IExecuteFunctions, INodeProperties, IDisplayOptions } from 'n8n-workflow';

/** The two parameters of an operation that returns a list. */
export const limitProperties = (displayOptions: { show: NonNullable<IDisplayOptions['show']> }): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
    description: 'Max number of results to return',
  },
];

export const chosenLimit = (context: IExecuteFunctions, itemIndex: number): number =>
  context.getNodeParameter('returnAll', itemIndex, false) ? Infinity : context.getNodeParameter('limit', itemIndex, 50);
