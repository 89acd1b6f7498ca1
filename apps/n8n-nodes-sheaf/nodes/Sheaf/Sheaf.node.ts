import {
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';
import { getAnswerFields, getFileFields, getFilterFields } from '../api/answers';
import { searchForms } from '../api/forms';
import { fileOperations, fileProperties } from './file';
import { formOperations, formProperties } from './form';
import type { Operation } from './operation';
import { submissionOperations } from './submission';
import { submissionProperties } from './submission-properties';

const resources: Record<string, Record<string, Operation>> = {
  file: fileOperations,
  form: formOperations,
  submission: submissionOperations,
};

export class Sheaf implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Sheaf',
    name: 'sheaf',
    icon: { light: 'file:../../icons/sheaf.svg', dark: 'file:../../icons/sheaf.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Work with forms, submissions and files in Sheaf',
    defaults: { name: 'Sheaf' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'sheafApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'File', value: 'file' },
          { name: 'Form', value: 'form' },
          { name: 'Submission', value: 'submission' },
        ],
        default: 'submission',
      },
      ...formProperties,
      ...submissionProperties,
      ...fileProperties,
    ],
  };

  methods = {
    listSearch: { searchForms },
    loadOptions: { getFileFields, getFilterFields },
    resourceMapping: { getAnswerFields },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex += 1) {
      try {
        const resource = this.getNodeParameter('resource', itemIndex);
        const operation = this.getNodeParameter('operation', itemIndex);
        const run = resources[resource]?.[operation];
        if (!run) throw new NodeOperationError(this.getNode(), `Sheaf has no operation "${operation}" for "${resource}"`, { itemIndex });
        results.push(...(await run(this, itemIndex)).map((item) => ({ ...item, pairedItem: { item: itemIndex } })));
      } catch (error) {
        const failure =
          error instanceof NodeApiError || error instanceof NodeOperationError
            ? error
            : new NodeOperationError(this.getNode(), error as Error, { itemIndex });
        if (!this.continueOnFail()) throw failure;
        // n8n recognizes a failed item by its `error`, and sends it to the error output if the node has one.
        results.push({ json: failureOf(failure), error: failure, pairedItem: { item: itemIndex } });
      }
    }
    return [results];
  }
}

const failureOf = (error: NodeApiError | NodeOperationError) => ({
  error: error.message,
  ...(typeof error.context.code === 'string' ? { code: error.context.code } : {}),
  ...(error instanceof NodeApiError && error.httpCode !== null ? { status: Number(error.httpCode) } : {}),
});
