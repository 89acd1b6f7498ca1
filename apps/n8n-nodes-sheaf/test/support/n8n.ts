import './user-folder';
import type { Request, Response } from 'express';
import { join } from 'node:path';
import { ExecuteContext, HookContext, LoadOptionsContext, PackageDirectoryLoader, WebhookContext } from 'n8n-core';
import {
  createEmptyRunExecutionData,
  NodeHelpers,
  Workflow,
  type IBinaryKeyData,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeListSearchResult,
  type INodeParameters,
  type INodeType,
  type INodeTypes,
  type IWebhookResponseData,
  type IWorkflowExecuteAdditionalData,
  type ResourceMapperFields,
} from 'n8n-workflow';
import { StoredCredential } from './credentials';

const packageFolder = join(__dirname, '../..');

/** The package as n8n loads it: the compiled files that package.json names. */
export async function loadPackage(): Promise<PackageDirectoryLoader> {
  const loader = new PackageDirectoryLoader(packageFolder);
  await loader.loadAll();
  return loader;
}

export interface Connection {
  url: string;
  apiKey: string;
}

type NodeName = 'sheaf' | 'sheafTrigger';

/** A workflow with one of our nodes, run by n8n's own execution contexts. */
export class N8n {
  private constructor(
    private readonly loader: PackageDirectoryLoader,
    private readonly connection: Connection,
  ) {}

  static async with(connection: Connection): Promise<N8n> {
    return new N8n(await loadPackage(), connection);
  }

  /** Executes the Sheaf node for these input items. */
  async execute(
    parameters: INodeParameters,
    {
      items = [{}],
      binary,
      onError = 'stopWorkflow',
      executionId = '1',
    }: { items?: IDataObject[]; binary?: IBinaryKeyData; onError?: INode['onError']; executionId?: string } = {},
  ): Promise<INodeExecutionData[]> {
    const { workflow, node, type } = this.workflowOf('sheaf', parameters, { onError });
    const input = items.map((json) => ({ json, ...(binary ? { binary } : {}) }));
    const context = new ExecuteContext(
      workflow,
      node,
      this.additionalData({ executionId }),
      'manual',
      createEmptyRunExecutionData(),
      0,
      input,
      { main: [input] },
      { node, data: { main: [input] }, source: null },
      [],
    );
    const results = (await type.execute?.call(context)) as INodeExecutionData[][];
    return results[0] ?? [];
  }

  /** A page of a list that the node lets people pick from. */
  pick(filter?: string, page?: string): Promise<INodeListSearchResult> {
    const { context, type } = this.loading({});
    return defined(type.methods?.listSearch?.searchForms).call(context, filter, page);
  }

  mapperFields(formId: string): Promise<ResourceMapperFields> {
    const { context, type } = this.loading({ formId: picked(formId) });
    return defined(type.methods?.resourceMapping?.getAnswerFields).call(context);
  }

  /** The fields of a form that the node offers for a condition, or for a file. */
  fieldOptions(method: 'getFilterFields' | 'getFileFields', formId: string): Promise<{ name: string; value: string }[]> {
    const { context, type } = this.loading({ formId: picked(formId) });
    return defined(type.methods?.loadOptions?.[method]).call(context) as Promise<{ name: string; value: string }[]>;
  }

  /** A trigger, with the data that n8n keeps for its workflow. */
  trigger(parameters: INodeParameters, webhookBaseUrl: string, staticData: IDataObject = {}): Trigger {
    return new Trigger((changed = {}) => {
      const { workflow, node, type } = this.workflowOf('sheafTrigger', { ...parameters, ...changed }, { staticData });
      return { workflow, node, type, additionalData: (more = {}) => this.additionalData({ webhookBaseUrl, ...more }) };
    });
  }

  private loading(parameters: INodeParameters): { context: LoadOptionsContext; type: INodeType } {
    const { workflow, node, type } = this.workflowOf('sheaf', parameters);
    return { context: new LoadOptionsContext(workflow, node, this.additionalData({ currentNodeParameters: parameters }), ''), type };
  }

  private workflowOf(
    name: NodeName,
    parameters: INodeParameters,
    { staticData = {}, onError = 'stopWorkflow' }: { staticData?: IDataObject; onError?: INode['onError'] } = {},
  ): { workflow: Workflow; node: INode; type: INodeType } {
    const { loader } = this;
    const type = NodeHelpers.getVersionedNodeType(loader.getNode(name).type);
    const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) } as INodeTypes;
    const node: INode = {
      id: 'f3b8a1de-7a00-4c3e-9f5b-2f6d8a1b4c01',
      name: 'Sheaf',
      type: `n8n-nodes-sheaf.${name}`,
      typeVersion: 1,
      position: [0, 0],
      webhookId: '2f6d8a1b-4c01-4c3e-9f5b-7a00f3b8a1de',
      onError,
      parameters: NodeHelpers.getNodeParameters(type.description.properties, parameters, true, false, null, type.description) ?? {},
      credentials: { sheafApi: { id: '1', name: 'Sheaf' } },
    };
    const workflow = new Workflow({ id: 'workflow1', name: 'Test', nodes: [node], connections: {}, active: true, nodeTypes, staticData });
    return { workflow, node, type };
  }

  private additionalData(more: Partial<IWorkflowExecuteAdditionalData>): IWorkflowExecuteAdditionalData {
    const { type } = this.loader.getCredential('sheafApi');
    const credentialsHelper = new StoredCredential(type, { ...this.connection });
    return { credentialsHelper, restApiUrl: '', instanceBaseUrl: '', webhookTestBaseUrl: '', ...more } as IWorkflowExecuteAdditionalData;
  }
}

function defined<T>(method: T | undefined): T {
  if (method === undefined) throw new Error('The node does not have this method.');
  return method;
}

export const picked = (formId: string): INodeParameters => ({ __rl: true, mode: 'id', value: formId }) as INodeParameters;

interface Prepared {
  workflow: Workflow;
  node: INode;
  type: INodeType;
  additionalData: (more?: Partial<IWorkflowExecuteAdditionalData>) => IWorkflowExecuteAdditionalData;
}

export class Trigger {
  constructor(private readonly prepare: (changed?: INodeParameters) => Prepared) {}

  /** As n8n activates a workflow. @returns whether the webhook was there already */
  async activate(changed: INodeParameters = {}): Promise<boolean> {
    if (await this.hook('checkExists', changed)) return true;
    await this.hook('create', changed);
    return false;
  }

  deactivate(): Promise<boolean> {
    return this.hook('delete', {});
  }

  hook(method: 'checkExists' | 'create' | 'delete', changed: INodeParameters): Promise<boolean> {
    const { workflow, node, type, additionalData } = this.prepare(changed);
    const context = new HookContext(workflow, node, additionalData(), 'trigger', 'activate');
    return defined(type.webhookMethods?.default)[method].call(context);
  }

  /** As n8n hands a request to the node. */
  async receive(httpRequest: Request, httpResponse: Response): Promise<IWebhookResponseData> {
    const { workflow, node, type, additionalData } = this.prepare();
    const [webhookDescription] = type.description.webhooks ?? [];
    if (!webhookDescription) throw new Error('The node has no webhook.');
    const data = additionalData({ httpRequest, httpResponse });
    const webhookData = {
      httpMethod: 'POST',
      node: node.name,
      path: '',
      webhookDescription,
      workflowId: 'workflow1',
      workflowExecuteAdditionalData: data,
    } as const;
    return (await type.webhook?.call(new WebhookContext(workflow, node, data, 'webhook', webhookData, [], null))) ?? {};
  }
}
