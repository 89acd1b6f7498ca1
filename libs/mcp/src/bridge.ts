import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';

export interface BridgeOptions {
  /** The origin of the instance. */
  url: URL;
  key: string;
  version: string;
  /** How long the server may take to say what it is when the bridge starts. */
  startMs?: number;
}

/** A person may be away from the screen; the server takes a confirmation for 15 minutes. */
const personMs = 14 * 60_000;

type Call = CallToolResult & { structuredContent?: Record<string, unknown> | undefined };

/**
 * Passes the tools of a server on to the program at the other end of `local`. The tools are the server's, so that they fit its version and the rights
 * of the key. The bridge adds what a server without sessions cannot: it asks the person before it passes on what a preview has to confirm.
 */
export async function bridge(local: Transport, { url, key, version, startMs = 5_000 }: BridgeOptions): Promise<void> {
  const info = { name: 'sheaf', version };
  let connected: Promise<Client> | undefined;
  const upstream = (): Promise<Client> => {
    connected ??= connect();
    return connected;
  };
  const connect = async () => {
    const client = new Client({ name: '@sheaf/mcp', version });
    const requestInit = { headers: { Authorization: `Bearer ${key}` }, redirect: 'error' as const };
    try {
      await client.connect(new StreamableHTTPClientTransport(mcpOf(url), { requestInit }), { timeout: startMs });
    } catch (error) {
      // The server may be there, or the key valid, with the next call.
      connected = undefined;
      throw error;
    }
    return client;
  };
  // Without an answer the bridge starts all the same: calls say what is wrong.
  const instructions = await upstream().then(
    (client) => client.getInstructions(),
    () => undefined,
  );
  const { server } = new McpServer(info, instructions === undefined ? {} : { instructions });
  server.registerCapabilities({ tools: {} });

  /** The tools that the server has listed, each with its preview if it needs one. */
  const known = new Map<string, string | undefined>();
  const list = async () => {
    const listed = await (await upstream()).listTools();
    for (const { name, _meta } of listed.tools) {
      const preview = _meta?.['sheaf/preview'];
      known.set(name, typeof preview === 'string' ? preview : undefined);
    }
    return listed;
  };
  const call = async (name: string, input: Record<string, unknown>): Promise<Call> =>
    (await upstream()).request({ method: 'tools/call', params: { name, arguments: input } }, CallToolResultSchema);

  /** The person's answer to what a tool would do: its input with the code of the preview, or the result that says no. */
  const asked = async (preview: string, input: Record<string, unknown>): Promise<Record<string, unknown> | CallToolResult> => {
    const { confirm: _, ...others } = input;
    const shown = await call(preview, others);
    if (shown.isError === true) return shown;
    const { question, confirm } = shown.structuredContent ?? {};
    const message = typeof question === 'string' ? question : JSON.stringify(shown.structuredContent);
    const { action } = await server.elicitInput({ message, requestedSchema: { type: 'object', properties: {} } }, { timeout: personMs });
    return action === 'accept' ? { ...others, confirm } : saying('The person did not agree. Nothing was changed.');
  };

  server.setRequestHandler(ListToolsRequestSchema, () => list().catch((error: unknown) => Promise.reject(new Error(reasonOf(error, url)))));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }) => {
    try {
      if (!known.has(name)) await list();
      const preview = known.get(name);
      if (preview === undefined || server.getClientCapabilities()?.elicitation === undefined) return await call(name, input);
      const answer = await asked(preview, input);
      return 'content' in answer ? answer : await call(name, answer);
    } catch (error) {
      return saying(reasonOf(error, url));
    }
  });
  await server.connect(local);
}

/** Below the path of the instance, if it has one. */
const mcpOf = ({ origin, pathname }: URL): URL => new URL(`${pathname.endsWith('/') ? pathname : `${pathname}/`}mcp`, origin);

const saying = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** The reason of a failure between here and the server, as the program of the agent shows it. */
function reasonOf(error: unknown, { origin }: URL): string {
  if (error instanceof StreamableHTTPError) return reasonOfStatus(error, origin);
  if (error instanceof McpError) return error.message;
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  const reason = [cause?.code, cause?.message, message].find((text) => typeof text === 'string' && text !== '') ?? 'the connection failed';
  return `${origin} cannot be reached: ${reason}. Check the address in --url, and that Sheaf runs there.`;
}

function reasonOfStatus({ code = 0, message }: StreamableHTTPError, origin: string): string {
  switch (code) {
    case 401:
      return `${origin} does not take this key: it was revoked, has expired, or belongs to another instance. Put a valid one in SHEAF_KEY, and start the program again.`;
    case 404:
    case 405:
      return `${origin} has no /mcp: no Sheaf of this version answers there.`;
    case 429:
      return `${origin} has had too many requests from this key. Wait a minute.`;
    default:
      // The rest of a proxy's page is of no use.
      return `${origin} answers ${code}: ${message.slice(0, 300)}`;
  }
}
