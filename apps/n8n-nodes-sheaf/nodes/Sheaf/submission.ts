import { createHash } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { answersFrom, type Mapping } from '../api/answers';
import { pickedForm } from '../api/forms';
import { readList } from '../api/pages';
import { call, path } from '../api/request';
import { chosenLimit } from './limit';
import type { Operation } from './operation';
import { searchQuery, type Condition, type Filters } from './search-query';

const submissionId = (context: IExecuteFunctions, itemIndex: number): string =>
  context.getNodeParameter('submissionId', itemIndex) as string;
const one = (json: IDataObject): INodeExecutionData[] => [{ json }];

export const submissionOperations: Record<string, Operation> = {
  async create(context, itemIndex) {
    const formId = pickedForm(context, itemIndex);
    const isAutoMapped = context.getNodeParameter('answers.mappingMode', itemIndex) === 'autoMapInputData';
    const mapping = {
      // When nothing is mapped, n8n stores null here, and fails to read it.
      values: isAutoMapped
        ? (context.getInputData()[itemIndex]?.json ?? {})
        : (context.getNodeParameter('answers.value', itemIndex) as IDataObject),
      schema: context.getNodeParameter('answers.schema', itemIndex, []) as unknown as Mapping['schema'],
    };
    const data = answersFrom(mapping);
    const language = context.getNodeParameter('options.language', itemIndex, '') as string;
    const submission = await call<IDataObject>(context, {
      method: 'POST',
      path: path`/app/v1/forms/${formId}/submissions`,
      headers: idempotencyKey(context, itemIndex, data),
      body: { data, ...(language === '' ? {} : { language }) },
      itemIndex,
    });
    return one(submission);
  },

  async get(context, itemIndex) {
    const at = path`/app/v1/forms/${pickedForm(context, itemIndex)}/submissions/${submissionId(context, itemIndex)}`;
    return one(await call<IDataObject>(context, { path: at, itemIndex }));
  },

  getAll: (context, itemIndex) => find(context, itemIndex, {}),

  search: (context, itemIndex) =>
    find(context, itemIndex, {
      q: context.getNodeParameter('query', itemIndex, '') as string,
      conditions: context.getNodeParameter('conditions.condition', itemIndex, []) as Condition[],
    }),

  async updateStatus(context, itemIndex) {
    const at = path`/api/v1/forms/${pickedForm(context, itemIndex)}/submissions/${submissionId(context, itemIndex)}/status`;
    const body = { status: context.getNodeParameter('status', itemIndex) as string };
    return one(await call<IDataObject>(context, { method: 'PATCH', path: at, body, itemIndex }));
  },
};

async function find(
  context: IExecuteFunctions,
  itemIndex: number,
  words: Pick<Filters, 'q' | 'conditions'>,
): Promise<INodeExecutionData[]> {
  const filters = context.getNodeParameter('filters', itemIndex, {}) as Omit<Filters, 'q' | 'conditions'>;
  const found = await readList(context, path`/app/v1/forms/${pickedForm(context, itemIndex)}/submissions`, {
    query: searchQuery({ ...filters, ...words }),
    limit: chosenLimit(context, itemIndex),
    itemIndex,
  });
  return found.map((json) => ({ json }));
}

/** The chosen key; without one, the same whenever n8n tries the same item of the same run again, so that a retry does not create a second submission. */
function idempotencyKey(context: IExecuteFunctions, itemIndex: number, data: IDataObject): Record<string, string> {
  // An expression may be a number.
  const chosen = context.getNodeParameter('options.idempotencyKey', itemIndex, '') as string | number;
  if (chosen !== '') return { 'Idempotency-Key': String(chosen) };
  const execution = context.getExecutionId();
  if (!execution) return {};
  const run = context.evaluateExpression('{{ $runIndex }}', itemIndex);
  const place = [context.getInstanceId(), context.getWorkflow().id, execution, context.getNode().id, run, itemIndex, data];
  return { 'Idempotency-Key': createHash('sha256').update(JSON.stringify(place)).digest('hex') };
}
