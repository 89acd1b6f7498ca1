import {
  NodeApiError,
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type IWebhookFunctions,
  type JsonObject,
} from 'n8n-workflow';

export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IWebhookFunctions;

export interface Call {
  method?: IHttpRequestMethods;
  /** Begins with a slash. Build it with {@link path}, which encodes ids. */
  path: string;
  query?: URLSearchParams;
  headers?: Record<string, string>;
  body?: IDataObject | Buffer;
  /** The input item that the call is for, which n8n names in errors. */
  itemIndex?: number;
}

/** The path of a resource, with every value encoded, so that an id from elsewhere cannot reach another resource. */
export const path = (texts: TemplateStringsArray, ...values: string[]): string =>
  texts.map((text, index) => text + encodeURIComponent(values[index] ?? '')).join('');

/** Calls the API and returns the JSON body of a successful response. @throws NodeApiError with the message and code of the API */
export async function call<T>(context: Context, request: Call): Promise<T> {
  const response = await send(context, request, { json: true });
  return dataOf(context, response, request.itemIndex) as T;
}

/** Like {@link call}, but this status, a 404, returns undefined. Every other failure throws: it does not say that the resource is gone. */
export async function callOrMissing<T>(context: Context, request: Call, missing = 404): Promise<T | undefined> {
  const response = await send(context, request, { json: true });
  if (response.statusCode === missing) return undefined;
  return dataOf(context, response, request.itemIndex) as T;
}

/** The data of a success, which must be Sheaf's: a proxy may answer with a page, or with nothing. A 204 has none. */
function dataOf(context: Context, response: IN8nHttpFullResponse, itemIndex: number | undefined): unknown {
  const { statusCode, body } = response;
  if (!isSuccess(statusCode)) throw problem(context, response, itemIndex);
  if (statusCode === 204 || (typeof body === 'object' && body !== null)) return body;
  throw new NodeApiError(
    context.getNode(),
    {},
    {
      message: body === undefined || body === '' ? 'Sheaf answered with nothing' : 'The answer is not JSON',
      description: advice(statusCode, undefined),
      httpCode: String(statusCode),
      ...at(itemIndex),
    },
  );
}

/** Downloads a file. */
export async function download(context: Context, request: Call): Promise<{ content: Buffer; headers: Record<string, string | undefined> }> {
  const response = await send(context, request, { encoding: 'arraybuffer' });
  const content = Buffer.from(response.body as Buffer);
  if (!isSuccess(response.statusCode)) throw problem(context, { ...response, body: readJson(content) }, request.itemIndex);
  return { content, headers: response.headers as Record<string, string | undefined> };
}

async function send(context: Context, request: Call, format: Partial<IHttpRequestOptions>): Promise<IN8nHttpFullResponse> {
  const { url } = await context.getCredentials<{ url: string }>('sheafApi');
  const query = request.query?.toString() ?? '';
  const options: IHttpRequestOptions = {
    method: request.method ?? 'GET',
    url: url.trim().replace(/(?<!\/)\/+$/, '') + request.path + (query === '' ? '' : `?${query}`),
    ...(request.headers ? { headers: request.headers } : {}),
    ...(request.body ? { body: request.body } : {}),
    ...format,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    // A redirect would turn a POST into a GET, and could take the key to another host.
    disableFollowRedirect: true,
  };
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(context, 'sheafApi', options)) as IN8nHttpFullResponse;
  } catch (error) {
    throw new NodeApiError(context.getNode(), error as JsonObject, at(request.itemIndex));
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const at = (itemIndex: number | undefined): { itemIndex?: number } => (itemIndex === undefined ? {} : { itemIndex });

function problem(context: Context, { statusCode, body, headers }: IN8nHttpFullResponse, itemIndex: number | undefined): NodeApiError {
  const { code, message } = readProblem(body);
  const error = new NodeApiError(context.getNode(), body as JsonObject, {
    message: message ?? (statusCode < 400 ? redirected(headers.location) : `Sheaf answered with status ${statusCode}`),
    description: advice(statusCode, code),
    httpCode: String(statusCode),
    ...at(itemIndex),
  });
  if (code !== undefined) error.context.code = code;
  return error;
}

/** It names the origin only, as the rest of the address may have a secret in it. */
const redirected = (to: unknown): string =>
  `The server redirects to ${typeof to === 'string' && URL.canParse(to) ? new URL(to).origin : 'another address'}`;

function advice(status: number, code: string | undefined): string {
  const answer = code === undefined ? `Status ${status}.` : `Status ${status}, code ${code}.`;
  if (status === 401) return `${answer} Check the API key of the credential: it may have been revoked.`;
  if (code === 'insufficient_scope') return `${answer} Give the service account this scope, or use the key of a person.`;
  if (status >= 300 && status < 400) return `${answer} Give the credential the address where Sheaf itself answers.`;
  if (code === undefined) return `${answer} Check the URL of the credential: the response is not one of Sheaf's.`;
  return answer;
}

function readProblem(body: unknown): { code?: string; message?: string } {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: { code?: unknown; message?: unknown } };
  return {
    ...(typeof error?.code === 'string' ? { code: error.code } : {}),
    ...(typeof error?.message === 'string' ? { message: error.message } : {}),
  };
}

function readJson(content: Buffer): IDataObject {
  try {
    return JSON.parse(content.toString()) as IDataObject;
  } catch {
    return {};
  }
}
