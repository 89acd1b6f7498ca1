import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Runs an operation for one input item. */
export type Operation = (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>;
