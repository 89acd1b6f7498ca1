import { isOperation, operations, type Operation } from '@sheaf/contracts';
import { type Caller } from '@sheaf/kernel';
import { z } from 'zod';
import { hasAccess } from '../callers/access';
import type { Bounds } from './as-data';
import type { Ask } from './ask';
import type { Confirmations } from './confirmation';

export interface ToolContext {
  ask: Ask;
  confirmations: Confirmations;
  /** The key or session that calls. */
  credentialId: string;
}

/** A tool for agents: what it needs of the API decides who may use it. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  /** The operations that it asks for. Its title and description begin with those of the first. */
  operations: readonly [Operation, ...Operation[]];
  /** Added to the description of the first operation. */
  text: string;
  input: I;
  output: O;
  /** Whether its result has answers of respondents. */
  fromRespondents?: boolean;
  /** How much of the texts an agent gets. */
  bounds?: Bounds;
  /** A tool that changes something. `preview` names the tool whose answer confirms it. */
  changes?: { preview?: string };
  run: (input: z.output<I>, context: ToolContext) => Promise<z.input<O>>;
}

/** Infers the types of `run` from the shapes. */
export const tool = <I extends z.ZodObject, O extends z.ZodObject>(one: Tool<I, O>): Tool => one;

/** Whether the caller may ask for every operation of a tool. */
export const mayUse = ({ operations: needed }: Tool, caller: Caller): boolean => needed.every((one) => hasAccess(one, caller));

/** The scopes of the operations of a tool. */
export const scopesOf = ({ operations: needed }: Tool): string[] => [
  ...new Set(needed.flatMap(({ access }) => (typeof access === 'object' ? [access.scope] : []))),
];

/** A tool as agents see it. */
export interface ToolListing {
  [name: string]: unknown;
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [name: string]: unknown };
  outputSchema: { type: 'object'; [name: string]: unknown };
}

const idOf = new Map(Object.entries(operations as Record<string, unknown>).flatMap(([id, one]) => (isOperation(one) ? [[one, id]] : [])));

/** The listings of tools. Their descriptions name other tools where those of the operations name operations. */
export function listingsOf(tools: readonly Tool[]): Map<Tool, ToolListing> {
  const renamed = tools.map(({ name, operations: [main] }) => [idOf.get(main) ?? '', name] as const);
  return new Map(tools.map((one) => [one, listing(one, (text) => renamed.reduce((t, [id, name]) => t.replaceAll(id, name), text))]));
}

function listing({ name, operations: [main], text, input, output, changes }: Tool, rename: (text: string) => string): ToolListing {
  return {
    name,
    title: main.summary,
    description: `${rename(main.description)} ${text}`,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations: {
      title: main.summary,
      readOnlyHint: changes === undefined,
      destructiveHint: changes?.preview !== undefined,
      idempotentHint: changes === undefined,
      openWorldHint: false,
    },
    ...(changes?.preview === undefined ? {} : { _meta: { 'sheaf/preview': changes.preview } }),
  };
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): ToolListing['inputSchema'] {
  const schema = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Only the document of the API shows these.
      for (const name of ['x-text', 'x-sample', 'x-left-out']) Reflect.deleteProperty(jsonSchema, name);
    },
  });
  return { ...schema, type: 'object' };
}
