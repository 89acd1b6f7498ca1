// Loaded with the first request to /mcp, as most systems get none: see tools/build/bundle.mjs. It has no import but the SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult, type Tool } from '@modelcontextprotocol/sdk/types.js';

export interface Offer {
  name: string;
  version: string;
  instructions: string;
  list: () => Tool[];
  call: (name: string, input: unknown) => Promise<CallToolResult>;
}

/** No tool asks its client for anything over HTTP, so that nothing is to be validated. */
const validatesNothing = { getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'nothing was asked' }) };

/**
 * Answers one message of the Model Context Protocol, without a session: whatever copy of the gateway gets the next message, it knows as much as
 * this one. The answer is JSON, never a stream.
 */
export async function answerTo(
  message: unknown,
  headers: Record<string, string>,
  { name, version, instructions, list, call }: Offer,
): Promise<{ status: number; text: string }> {
  const { server } = new McpServer({ name, version }, { instructions, jsonSchemaValidator: validatesNothing });
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params.name, params.arguments ?? {}));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://localhost/mcp', { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}
