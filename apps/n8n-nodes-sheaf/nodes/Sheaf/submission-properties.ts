import type { INodeProperties } from 'n8n-workflow';
import { formPicker } from '../api/forms';
import { limitProperties } from './limit';

const submissions = (...operation: string[]) => ({ show: { resource: ['submission'], operation } });

/** The statuses that people set by hand; `pending_payment` belongs to the payment. */
const statuses = [
  { name: 'Approved', value: 'approved' },
  { name: 'Archived', value: 'archived' },
  { name: 'In Review', value: 'in_review' },
  { name: 'New', value: 'new' },
  { name: 'Rejected', value: 'rejected' },
];
const allStatuses = [...statuses, { name: 'Pending Payment', value: 'pending_payment' }].sort((a, b) => a.name.localeCompare(b.name));

const operations: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: ['submission'] } },
  options: [
    {
      name: 'Change Status',
      value: 'updateStatus',
      action: 'Change the status of a submission',
      description: 'Change the status of a submission',
    },
    { name: 'Create', value: 'create', action: 'Create a submission', description: "Enter answers on somebody's behalf" },
    { name: 'Get', value: 'get', action: 'Get a submission', description: 'Get a submission by its ID' },
    { name: 'Get Many', value: 'getAll', action: 'Get many submissions', description: 'Get the submissions of a form' },
    { name: 'Search', value: 'search', action: 'Search submissions', description: 'Find submissions by words and answers' },
  ],
  default: 'getAll',
};

const answers: INodeProperties = {
  displayName: 'Answers',
  name: 'answers',
  type: 'resourceMapper',
  noDataExpression: true,
  default: { mappingMode: 'defineBelow', value: null },
  required: true,
  displayOptions: submissions('create'),
  typeOptions: {
    loadOptionsDependsOn: ['formId.value'],
    resourceMapper: {
      resourceMapperMethod: 'getAnswerFields',
      mode: 'add',
      fieldWords: { singular: 'answer', plural: 'answers' },
      addAllFields: true,
      multiKeyMatch: false,
      supportAutoMap: true,
    },
  },
};

const conditions: INodeProperties = {
  displayName: 'Conditions',
  name: 'conditions',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Condition',
  default: {},
  displayOptions: submissions('search'),
  description: 'Conditions on answers, all of which must hold. Several values for the same field and operator are alternatives.',
  options: [
    {
      displayName: 'Condition',
      name: 'condition',
      values: [
        {
          displayName: 'Field Name or ID',
          name: 'field',
          type: 'options',
          typeOptions: { loadOptionsMethod: 'getFilterFields', loadOptionsDependsOn: ['formId.value'] },
          default: '',
          description: 'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
        },
        {
          displayName: 'Operator',
          name: 'operator',
          type: 'options',
          options: [
            { name: 'Is', value: 'is' },
            { name: 'Is Answered', value: 'answered' },
            { name: 'Is at Least', value: 'gte' },
            { name: 'Is at Most', value: 'lte' },
            { name: 'Is Greater Than', value: 'gt' },
            { name: 'Is Less Than', value: 'lt' },
            { name: 'Is Not', value: 'isNot' },
            { name: 'Is Not Answered', value: 'unanswered' },
          ],
          default: 'is',
        },
        {
          displayName: 'Value',
          name: 'value',
          type: 'string',
          default: '',
          displayOptions: { hide: { operator: ['answered', 'unanswered'] } },
          description: 'The value of an option, a number, a date, or a text of up to 100 characters',
        },
      ],
    },
  ],
};

const filters: INodeProperties = {
  displayName: 'Filters',
  name: 'filters',
  type: 'collection',
  placeholder: 'Add Filter',
  default: {},
  displayOptions: submissions('getAll', 'search'),
  options: [
    { displayName: 'From', name: 'from', type: 'dateTime', default: '', description: 'Only submissions from this time on' },
    {
      displayName: 'Order',
      name: 'sort',
      type: 'options',
      options: [
        { name: 'Newest First', value: '-created' },
        { name: 'Oldest First', value: 'created' },
        { name: 'Recently Changed First', value: '-updated' },
      ],
      default: '-created',
    },
    {
      displayName: 'Statuses',
      name: 'status',
      type: 'multiOptions',
      options: allStatuses,
      default: [],
      description: 'Only submissions with one of these statuses',
    },
    { displayName: 'To', name: 'to', type: 'dateTime', default: '', description: 'Only submissions from before this time' },
  ],
};

export const submissionProperties: INodeProperties[] = [
  operations,
  { ...formPicker, displayOptions: { show: { resource: ['submission'] } } },
  {
    displayName: 'Submission ID',
    name: 'submissionId',
    type: 'string',
    default: '',
    required: true,
    displayOptions: submissions('get', 'updateStatus'),
  },
  {
    displayName: 'Status',
    name: 'status',
    type: 'options',
    options: statuses,
    default: 'approved',
    required: true,
    displayOptions: submissions('updateStatus'),
    description: 'The new status of the submission',
  },
  answers,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    displayOptions: submissions('create'),
    options: [
      {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: '',
        placeholder: 'e.g. {{ $json.order_id }}',
        description:
          'Of several requests with the same key, only the first one creates a submission, also from other executions. Without it, only the retries of an item have the same key.',
      },
      {
        displayName: 'Language',
        name: 'language',
        type: 'string',
        default: '',
        placeholder: 'e.g. en',
        description: 'The language in which the answers were given, as a language tag',
      },
    ],
  },
  {
    displayName: 'Search For',
    name: 'query',
    type: 'string',
    default: '',
    displayOptions: submissions('search'),
    description: 'Words that the answers must all have. A word that ends with * may go on, after at least two letters.',
  },
  conditions,
  ...limitProperties(submissions('getAll', 'search')),
  filters,
];
